package dev.typedoutbox.testkit.outbox;

import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * A relay that publishes when the test says so, on the test's own thread: no waiting, and nothing happens in between. It is
 * a {@link Relay} that is not started, with its batches, its retries and its settings.
 *
 * <p>Events that another relay has in its hands stay with that one.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class SteppableRelay {
    private static final BatchResult NOTHING = new BatchResult(0, 0, 0, 0, 0);

    private final Relay relay;
    private final TestOutbox outbox;

    private SteppableRelay(Relay relay, TestOutbox outbox) {
        this.relay = relay;
        this.outbox = outbox;
    }

    /**
     * A relay with the default settings.
     *
     * @param dataSource the outbox's database
     * @param publisher the broker, such as an {@link dev.typedoutbox.testkit.InMemoryPublisher}; not closed by the relay
     * @return the relay
     */
    public static SteppableRelay create(DataSource dataSource, EventPublisher publisher) {
        return create(dataSource, publisher, RelayConfig.defaults());
    }

    /**
     * A relay with the application's settings.
     *
     * @param dataSource the outbox's database
     * @param publisher the broker, such as an {@link dev.typedoutbox.testkit.InMemoryPublisher}; not closed by the relay
     * @param config the settings; those of workers, pauses and listening have no meaning here
     * @return the relay
     */
    public static SteppableRelay create(DataSource dataSource, EventPublisher publisher, RelayConfig config) {
        Objects.requireNonNull(config, "config");
        return new SteppableRelay(
                Relay.create(dataSource, publisher, config), TestOutbox.of(dataSource, config.schema()));
    }

    /**
     * Publishes one batch of what is due.
     *
     * @return what the batch did
     * @throws dev.typedoutbox.relay.PublisherUnavailableException if the broker cannot be reached or blocks its publishers
     * @throws org.jooq.exception.DataAccessException if the database fails
     * @throws IllegalStateException if the thread is interrupted, which it stays
     */
    public BatchResult step() {
        try {
            return relay.runOnce();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during a batch", e);
        }
    }

    /**
     * Publishes batch after batch until nothing is due any more. What waits for its retry goes on waiting:
     * {@link TestOutbox#makeRetriesDue} ends that. Ends, too, after a batch with events of which nothing is known, as the
     * relay of the application would then pause.
     *
     * @return what the batches did together; an event that was tried again counts each time
     * @throws dev.typedoutbox.relay.PublisherUnavailableException if the broker cannot be reached or blocks its publishers
     * @throws org.jooq.exception.DataAccessException if the database fails
     * @throws IllegalStateException if the thread is interrupted, which it stays
     */
    public BatchResult publishDue() {
        BatchResult all = NOTHING;
        BatchResult last;
        do {
            last = step();
            all = sum(all, last);
        } while (last.fetched() > 0 && last.unknown() == 0);
        return all;
    }

    /**
     * Publishes what is due, and what waits for its retry as if that were due, until each event is published or a dead
     * letter, or is held back by a dead letter. Ends early as {@link #publishDue} does.
     *
     * @return what the batches did together; an event that was tried again counts each time
     * @throws dev.typedoutbox.relay.PublisherUnavailableException if the broker cannot be reached or blocks its publishers
     * @throws org.jooq.exception.DataAccessException if the database fails
     * @throws IllegalStateException if the thread is interrupted, which it stays
     */
    public BatchResult drain() {
        BatchResult all = NOTHING;
        BatchResult last;
        do {
            last = publishDue();
            all = sum(all, last);
        } while (last.unknown() == 0 && outbox.makeRetriesDue() > 0);
        return all;
    }

    private static BatchResult sum(BatchResult one, BatchResult other) {
        return new BatchResult(
                one.fetched() + other.fetched(),
                one.published() + other.published(),
                one.refused() + other.refused(),
                one.dead() + other.dead(),
                one.unknown() + other.unknown());
    }
}
