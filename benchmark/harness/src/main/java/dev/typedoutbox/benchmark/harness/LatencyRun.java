package dev.typedoutbox.benchmark.harness;

import com.rabbitmq.client.Channel;
import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures how long events are under way: from the moment at which the writer's commit returned to the moment at which this
 * process has the message. Writer, relay and consumer are three processes, unless the contender has its relay in the
 * writer's; they share the clock of the machine.
 */
final class LatencyRun {
    private static final Duration FALLS_ASLEEP = Duration.ofSeconds(1);
    private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(30);

    private final Broker broker;
    private final ContenderProcess relay;
    private final ContenderProcess writer;

    /** How fast the events were written in fact. */
    private double writtenPerSecond;

    private LatencyRun(Broker broker, ContenderProcess relay, ContenderProcess writer) {
        this.broker = broker;
        this.relay = relay;
        this.writer = writer;
    }

    static LatencyRun of(Lab lab, ContenderEntry entry) throws Exception {
        ContenderProcess relay = lab.fleet().warm(entry);
        return new LatencyRun(
                lab.broker(), relay, entry.isInProcess() ? relay : lab.fleet().writer(entry));
    }

    double writtenPerSecond() {
        return writtenPerSecond;
    }

    /** The delays in milliseconds, by the number of the event. */
    List<Double> delays(Load load) throws Exception {
        Backlog events = load.events();
        long[] delivered = new long[(int) events.events()];
        Ledger ledger = new Ledger(events, relay.entry().isOrdered());
        broker.renewQueue(QueueKind.CLASSIC);
        relay.fill(new Backlog(0, events.payloadBytes(), events.aggregates()));
        Channel consumer = broker.consumeAtOnce((tag, message) -> {
            long now = System.nanoTime();
            long number = ledger.add(message.getBody(), message.getProperties().getMessageId());
            delivered[(int) number] = now;
        });
        relay.startWork();
        TimeUnit.MILLISECONDS.sleep(FALLS_ASLEEP.toMillis());
        try {
            long[] committed = writer.emit(load);
            awaitAll(ledger, events.events());
            ledger.check();
            return delays(committed, delivered);
        } finally {
            relay.stopWork();
            consumer.close();
        }
    }

    private static void awaitAll(Ledger ledger, long events) throws Exception {
        long last = 0;
        long lastChange = System.nanoTime();
        while (last < events && System.nanoTime() - lastChange < LONGEST_STANDSTILL.toNanos()) {
            TimeUnit.MILLISECONDS.sleep(10);
            long arrived = ledger.arrived();
            if (arrived > last) {
                lastChange = System.nanoTime();
            }
            last = arrived;
        }
    }

    private List<Double> delays(long[] committed, long[] delivered) {
        List<Double> delays = new ArrayList<>();
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < committed.length; i++) {
            delays.add((delivered[i] - committed[i]) / 1e6);
            first = Math.min(first, committed[i]);
            last = Math.max(last, committed[i]);
        }
        writtenPerSecond = (committed.length - 1) / ((last - first) / 1e9);
        return delays;
    }
}
