package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Measures how fast a consumer gets through a queue that was filled before, and checks what it did. The consumer itself
 * tells how many messages it is done with: nobody else sees its commits without slowing them down.
 */
final class QueueDrainer {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10);
    private static final Duration LONGEST_RETURN = Duration.ofSeconds(2);

    private final Lab lab;

    QueueDrainer(Lab lab) {
        this.lab = lab;
    }

    /** Lets a consumer work for some seconds, which are not measured. */
    void warmUp(ContenderProcess consumer, Feed feed) throws Exception {
        fill(consumer, feed, QueueKind.CLASSIC);
        long messages = feed.messages();
        long end = System.nanoTime() + lab.plan().longestWarmUp().toNanos();
        consumer.startWork();
        while (consumer.consumed() < messages && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
        }
        consumer.stopWork();
    }

    /** The rate is that of the messages, copies among them. */
    Drain drain(ContenderProcess consumer, Feed feed, QueueKind kind) throws Exception {
        fill(consumer, feed, kind);
        lab.postgres().checkpoint();
        Drain drain = run(consumer, feed.messages());
        requireNoneComesBack();
        ContenderEntry entry = consumer.entry();
        if (!entry.isCeiling()) {
            effects(lab.fleet().database(entry), feed, entry.isOrdered()).check();
        }
        return drain;
    }

    private void fill(ContenderProcess consumer, Feed feed, QueueKind kind) throws Exception {
        Backlog events = feed.events();
        consumer.fill(new Backlog(0, events.payloadBytes(), events.aggregates()));
        lab.broker().renewQueue(kind);
        lab.broker().publish(feed);
    }

    private Drain run(ContenderProcess consumer, long messages) throws Exception {
        DrainWatch watch = new DrainWatch(
                consumer::consumed,
                messages,
                Map.of(
                        "consumer", List.of(consumer.process()),
                        "database", lab.postgres().process().stream().toList(),
                        "broker", lab.broker().process().stream().toList()));
        consumer.startWork();
        try {
            return watch.untilAllHaveCome();
        } finally {
            if (consumer.isAlive()) {
                consumer.stopWork();
            }
        }
    }

    /** A quorum queue gets back what was not acknowledged some time after the channel has closed. */
    private void requireNoneComesBack() throws Exception {
        long end = System.nanoTime() + LONGEST_RETURN.toNanos();
        while (System.nanoTime() < end) {
            long left = lab.broker().count();
            if (left > 0) {
                throw new ContenderFailure(left + " messages were not acknowledged");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
        }
    }

    /** What the consumer left in its table, in the order in which it did it. */
    static Ledger effects(PGSimpleDataSource database, Feed feed, boolean ordered) throws Exception {
        Ledger ledger = new Ledger(feed.events(), ordered);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select event_id from effects order by position")) {
            while (row.next()) {
                UUID id = row.getObject(1, UUID.class);
                ledger.add(feed.number(id), id.toString());
            }
        }
        return ledger;
    }
}
