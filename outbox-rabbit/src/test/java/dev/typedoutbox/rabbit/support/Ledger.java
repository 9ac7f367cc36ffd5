package dev.typedoutbox.rabbit.support;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import dev.typedoutbox.OutboxEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** An account, kept apart from the product, of what arrived, when and in which order. Safe for use by several threads. */
public final class Ledger {
    private final List<Arrival> arrivals = new ArrayList<>();
    private final Map<UUID, Arrival> first = new HashMap<>();

    private record Arrival(UUID id, String aggregate, long seq, boolean isFirst, long nanos) {}

    public synchronized void add(OutboxEvent event) {
        add(event.id(), event.aggregateId(), event.seq());
    }

    public synchronized void addAll(List<GetResponse> messages) {
        messages.forEach(message -> add(message.getProps()));
    }

    /** A message that comes again only because its receiver lost the connection before the acknowledgement is left out. */
    public synchronized void add(Delivery delivery) {
        UUID id = UUID.fromString(delivery.getProperties().getMessageId());
        if (!delivery.getEnvelope().isRedeliver() || !first.containsKey(id)) {
            add(delivery.getProperties());
        }
    }

    private void add(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        add(
                UUID.fromString(properties.getMessageId()),
                String.valueOf(headers.get("aggregate_id")),
                Long.parseLong(String.valueOf(headers.get("seq"))));
    }

    synchronized void add(UUID id, String aggregate, long seq) {
        Arrival arrival = new Arrival(id, aggregate, seq, !first.containsKey(id), System.nanoTime());
        arrivals.add(arrival);
        first.putIfAbsent(id, arrival);
    }

    public synchronized int deliveries() {
        return arrivals.size();
    }

    public synchronized Set<UUID> ids() {
        return new HashSet<>(first.keySet());
    }

    public synchronized int duplicates() {
        return arrivals.size() - first.size();
    }

    /** The events that arrived more than once. */
    public synchronized Set<UUID> duplicated() {
        Set<UUID> duplicated = new HashSet<>();
        arrivals.stream().filter(arrival -> !arrival.isFirst()).forEach(arrival -> duplicated.add(arrival.id()));
        return duplicated;
    }

    public Set<UUID> lost(Collection<UUID> committed) {
        return without(committed, ids());
    }

    /** What arrived and was never committed. */
    public Set<UUID> phantoms(Collection<UUID> committed) {
        return without(ids(), committed);
    }

    /** First arrivals that came after a later event of their aggregate. */
    public synchronized int orderViolations() {
        Map<String, Long> last = new HashMap<>();
        int violations = 0;
        for (Arrival arrival : arrivals) {
            if (arrival.isFirst()) {
                Long before = last.put(arrival.aggregate(), arrival.seq());
                violations += before != null && before > arrival.seq() ? 1 : 0;
            }
        }
        return violations;
    }

    /** When the last of the given events first came, of those that did. */
    public synchronized OptionalLong lastFirstArrivalOf(Collection<UUID> ids) {
        return ids.stream()
                .map(first::get)
                .filter(Objects::nonNull)
                .mapToLong(Arrival::nanos)
                .max();
    }

    private static Set<UUID> without(Collection<UUID> all, Collection<UUID> excluded) {
        Set<UUID> rest = new HashSet<>(all);
        rest.removeAll(excluded);
        return rest;
    }
}
