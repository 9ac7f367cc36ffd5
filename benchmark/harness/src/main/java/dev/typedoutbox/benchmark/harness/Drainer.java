package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast a backlog gets from the table to a consumer, and checks that all of it got there. The queue is consumed
 * as it would be in operation: the classic queue of RabbitMQ 3 slows down a lot when it is only filled.
 */
final class Drainer {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
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
        try (Arrivals arrivals = broker.arrivals()) {
            contender.startWork();
            long end = System.nanoTime() + longestWarmUp.toNanos();
            while (arrivals.count() < WARM_UP.events() && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
            }
            contender.stopWork();
        }
    }

    Drain drain(ContenderProcess contender, Backlog backlog, QueueKind kind) throws Exception {
        return drain(contender, backlog, kind, postgres::checkpoint);
    }

    /** The same, with a preparation of its own. */
    Drain drain(ContenderProcess contender, Backlog backlog, QueueKind kind, Preparation preparation) throws Exception {
        return drain(List.of(contender), backlog, kind, preparation);
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
        Ledger ledger = new Ledger(backlog, contenders.get(0).entry().isOrdered());
        Drain drain;
        try (Arrivals arrivals = broker.arrivals()) {
            drain = run(contenders, arrivals, backlog.events());
            arrivals.endInto(ledger);
        }
        broker.readBack(ledger);
        ledger.check();
        return drain;
    }

    private Drain run(List<ContenderProcess> contenders, Arrivals arrivals, long events) throws Exception {
        List<ProcessHandle> relays =
                contenders.stream().map(ContenderProcess::process).toList();
        DrainWatch watch = new DrainWatch(
                arrivals::count,
                events,
                Map.of(
                        "relay", relays,
                        "database", postgres.process().stream().toList(),
                        "broker", broker.process().stream().toList()));
        for (ContenderProcess contender : contenders) {
            contender.startWork();
        }
        try {
            return watch.untilAllHaveCome();
        } finally {
            for (ContenderProcess contender : contenders) {
                if (contender.isAlive()) {
                    contender.stopWork();
                }
            }
        }
    }
}
