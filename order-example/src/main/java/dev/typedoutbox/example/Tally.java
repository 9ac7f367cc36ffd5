package dev.typedoutbox.example;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts by order, because queues and tables may hold what earlier runs left. Which orders are those of this run is known
 * only when the service has answered, and by then some of their messages have been delivered.
 */
final class Tally {
    private final Map<String, LongAdder> byOrder = new ConcurrentHashMap<>();

    void count(String orderId) {
        byOrder.computeIfAbsent(orderId, id -> new LongAdder()).increment();
    }

    long of(Collection<String> orderIds) {
        return orderIds.stream()
                .map(byOrder::get)
                .mapToLong(count -> count == null ? 0 : count.sum())
                .sum();
    }
}
