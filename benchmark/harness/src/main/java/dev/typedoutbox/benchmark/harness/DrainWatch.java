package dev.typedoutbox.benchmark.harness;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Looks on while a backlog comes: how many messages have come and when, and what that takes of the processors. */
final class DrainWatch {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
    private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(60);

    private final Progress progress;
    private final long events;
    private final Map<String, Collection<ProcessHandle>> parts;
    private final long start = System.nanoTime();
    private final List<Drain.Sample> samples = new ArrayList<>();
    private final Map<String, ProcessorTime> times = new TreeMap<>();
    private long countedFrom;

    /** Tells how many messages have come so far. */
    @FunctionalInterface
    interface Progress {
        long count() throws Exception;
    }

    /**
     * @param progress how many have come
     * @param events how many will come
     * @param parts what takes part in it, with its processes
     */
    DrainWatch(Progress progress, long events, Map<String, ? extends Collection<ProcessHandle>> parts) {
        this.progress = progress;
        this.events = events;
        this.parts = Map.copyOf(parts);
    }

    Drain untilAllHaveCome() throws Exception {
        long last = 0;
        long lastChange = start;
        while (last < events) {
            long count = progress.count();
            long now = System.nanoTime();
            samples.add(new Drain.Sample((now - start) / 1e9, count));
            if (count > last) {
                lastChange = now;
            } else if (now - lastChange > LONGEST_STANDSTILL.toNanos()) {
                throw new ContenderFailure("came to a standstill at " + count + " of " + events + " events");
            }
            last = count;
            if (times.isEmpty() && last >= Drain.measuredFrom(events)) {
                countedFrom = last;
                parts.forEach((part, processes) -> times.put(part, ProcessorTime.of(processes)));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
        }
        return new Drain(events, samples, costs());
    }

    private List<Drain.Cost> costs() {
        return times.entrySet().stream()
                .map(entry -> new Drain.Cost(
                        entry.getKey(), entry.getValue().used().toNanos() / 1e3 / Math.max(1, events - countedFrom)))
                .toList();
    }
}
