package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast a backlog gets from the table to a consumer, and checks that all of it got there. The queue is consumed
 * as it would be in operation: the classic queue of RabbitMQ 3 slows down a lot when it is only filled.
 */
final class Drainer {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
    private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(60);

    private static final Backlog WARM_UP = new Backlog(100_000, Plan.PAYLOAD, Plan.AGGREGATES);

    private final Postgres postgres;
    private final Broker broker;
    private final Duration longestWarmUp;

    Drainer(Postgres postgres, Broker broker, Duration longestWarmUp) {
        this.postgres = postgres;
        this.broker = broker;
        this.longestWarmUp = longestWarmUp;
    }

    /** What is done between the writing of the backlog and the start. */
    @FunctionalInterface
    interface Preparation {
        void run() throws Exception;
    }

    /** Lets a contender work for some seconds, which are not measured. */
    void warmUp(ContenderProcess contender) throws Exception {
        broker.renewQueue(QueueKind.CLASSIC);
        contender.fill(WARM_UP);
        Arrivals arrivals = broker.arrivals();
        contender.startRelay();
        long end = System.nanoTime() + longestWarmUp.toNanos();
        while (arrivals.count() < WARM_UP.events() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
        }
        contender.stopRelay();
        arrivals.endInto(new Ledger(WARM_UP, false));
    }

    Drain drain(ContenderProcess contender, Backlog backlog, QueueKind kind) throws Exception {
        return drain(List.of(contender), backlog, kind, postgres::checkpoint);
    }

    /**
     * Several contenders are relays of the same outbox. The preparation should end with a checkpoint, so that no round pays
     * for what another one wrote.
     */
    Drain drain(List<ContenderProcess> contenders, Backlog backlog, QueueKind kind, Preparation preparation)
            throws Exception {
        broker.renewQueue(kind);
        contenders.get(0).fill(backlog);
        preparation.run();
        Arrivals arrivals = broker.arrivals();
        Ledger ledger = new Ledger(backlog, contenders.get(0).entry().isOrdered());
        Drain drain;
        try {
            drain = run(contenders, arrivals, backlog.events());
        } finally {
            arrivals.endInto(ledger);
        }
        broker.readBack(ledger);
        ledger.check();
        return drain;
    }

    private Drain run(List<ContenderProcess> contenders, Arrivals arrivals, long events) throws Exception {
        ProcessorTime relay = ProcessorTime.of(
                contenders.stream().map(ContenderProcess::process).toList());
        ProcessorTime database = ProcessorTime.of(postgres.process().stream().toList());
        ProcessorTime queue = ProcessorTime.of(broker.process().stream().toList());
        long start = System.nanoTime();
        for (ContenderProcess contender : contenders) {
            contender.startRelay();
        }
        try {
            List<Drain.Sample> samples = await(arrivals, events, start);
            return new Drain(
                    events,
                    samples,
                    List.of(
                            cost("relay", relay, events),
                            cost("database", database, events),
                            cost("broker", queue, events)));
        } finally {
            for (ContenderProcess contender : contenders) {
                if (contender.isAlive()) {
                    contender.stopRelay();
                }
            }
        }
    }

    private static Drain.Cost cost(String part, ProcessorTime time, long events) {
        return new Drain.Cost(part, time.used().toNanos() / 1e3 / events);
    }

    private static List<Drain.Sample> await(Arrivals arrivals, long events, long start) throws Exception {
        List<Drain.Sample> samples = new ArrayList<>();
        long last = 0;
        long lastChange = start;
        while (last < events) {
            long count = arrivals.count();
            long now = System.nanoTime();
            samples.add(new Drain.Sample((now - start) / 1e9, count));
            if (count > last) {
                lastChange = now;
            } else if (now - lastChange > LONGEST_STANDSTILL.toNanos()) {
                throw new ContenderFailure("came to a standstill at " + count + " of " + events + " events");
            }
            last = count;
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
        }
        return samples;
    }
}
