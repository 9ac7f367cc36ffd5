package dev.typedoutbox.relay;

import dev.typedoutbox.db.OutboxSchema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Collects the settings of a relay. Not safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class RelayConfigBuilder {
    /** Three times this is still a time-out that PostgreSQL takes: 32 bits of milliseconds. */
    private static final Duration LONGEST = Duration.ofDays(7);

    private static final int MOST_WORKERS = 64;
    private static final int MOST_EVENTS = 10_000;

    String name = ProcessName.VALUE;
    String schema = OutboxSchema.DEFAULT_SCHEMA;
    int workers = RelayConfig.DEFAULT_WORKERS;
    int batchSize = RelayConfig.DEFAULT_BATCH_SIZE;
    long maxBatchBytes = RelayConfig.DEFAULT_MAX_BATCH_BYTES;
    boolean ordered = true;
    int maxPayloadBytes = RelayConfig.DEFAULT_MAX_PAYLOAD_BYTES;
    RetryPolicy retryPolicy = RetryPolicy.DEFAULT;
    final Map<String, RetryPolicy> retryPolicies = new HashMap<>();
    DeadLetterPolicy deadLetterPolicy = DeadLetterPolicy.GO_ON;
    PublishedRows publishedRows = PublishedRows.KEEP;
    Duration pollInterval = Duration.ofMillis(250);
    Duration fallbackPollInterval = Duration.ofSeconds(30);

    @Nullable
    DataSource listenOn;

    Duration confirmTimeout = Duration.ofSeconds(10);
    Duration statementTimeout = Duration.ofSeconds(30);
    Duration closeTimeout = Duration.ofSeconds(10);

    final List<RelayObserver> observers = new ArrayList<>();

    RelayConfigBuilder() {}

    /**
     * Sets what the relay is called in the log, and in the database, where the connection on which it listens has the
     * application name {@code typed-outbox-relay <name>}. Need not be unique. Default: {@code <pid>@<host>}.
     *
     * @param relay 1 to 100 characters, no control characters; the database has room for 44 bytes: of a longer name the
     *     middle is left out there, and what is not ASCII becomes a question mark
     * @return this builder
     * @throws IllegalArgumentException if it is blank, too long or has control characters
     */
    public RelayConfigBuilder name(String relay) {
        this.name = Settings.requireName("name", relay);
        return this;
    }

    /**
     * Sets the schema that holds the outbox's tables. Default: {@value OutboxSchema#DEFAULT_SCHEMA}.
     *
     * @param name as the database spells it, capitals kept
     * @return this builder
     * @throws IllegalArgumentException if it is no schema's: see {@link OutboxSchema#requireName}
     */
    public RelayConfigBuilder schema(String name) {
        this.schema = OutboxSchema.requireName(name);
        return this;
    }

    /**
     * Sets how many batches may be under way at once. Default: {@value RelayConfig#DEFAULT_WORKERS}, so that one waits
     * for the broker while the other is busy with the database. Each worker takes a connection from the data source
     * while it has a batch, and has a session with the broker.
     *
     * @param number 1 to 64
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public RelayConfigBuilder workers(int number) {
        this.workers = (int) Settings.requireBetween("workers", 1, MOST_WORKERS, number);
        return this;
    }

    /**
     * Sets how many events a batch holds at most. Default: {@value RelayConfig#DEFAULT_BATCH_SIZE}. Larger ones need
     * fewer statements an event; after a crash, at most this many events for each worker are published again.
     *
     * @param events 1 to 10,000
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public RelayConfigBuilder batchSize(int events) {
        this.batchSize = (int) Settings.requireBetween("batchSize", 1, MOST_EVENTS, events);
        return this;
    }

    /**
     * Sets how many bytes of payload and headers a batch holds at most, which bounds the relay's memory. Default:
     * {@value RelayConfig#DEFAULT_MAX_BATCH_BYTES}. One event is always taken, however large.
     *
     * @param bytes 1 or more, of the JSON text of payloads and headers as PostgreSQL spells it
     * @return this builder
     * @throws IllegalArgumentException if below 1
     */
    public RelayConfigBuilder maxBatchBytes(long bytes) {
        this.maxBatchBytes = Settings.requireBetween("maxBatchBytes", 1, Long.MAX_VALUE, bytes);
        return this;
    }

    /**
     * Sets whether the events of an aggregate keep their order. Default: true: an event is sent only after the one
     * before it was confirmed, and one that waits for its retry holds back the later ones of its aggregate. All relays
     * of an outbox must agree.
     *
     * @param keepOrder false to send all events as they come
     * @return this builder
     */
    public RelayConfigBuilder ordered(boolean keepOrder) {
        this.ordered = keepOrder;
        return this;
    }

    /**
     * Sets how large an event's payload and headers may be together. Default:
     * {@value RelayConfig#DEFAULT_MAX_PAYLOAD_BYTES}. A larger row becomes a dead letter without being read, so that it
     * cannot exhaust the relay's memory. To be at least 128 KiB above {@code Outbox.Builder.maxPayloadBytes}, since headers
     * may take that much; then only another program can have written a larger row.
     *
     * @param bytes 1 or more, of the JSON text of payload and headers as PostgreSQL spells it
     * @return this builder
     * @throws IllegalArgumentException if below 1
     */
    public RelayConfigBuilder maxPayloadBytes(int bytes) {
        this.maxPayloadBytes = (int) Settings.requireBetween("maxPayloadBytes", 1, Integer.MAX_VALUE, bytes);
        return this;
    }

    /**
     * Sets what is done with refused events of all types that have no policy of their own. Default:
     * {@link RetryPolicy#DEFAULT}.
     *
     * @param policy the policy
     * @return this builder
     */
    public RelayConfigBuilder retryPolicy(RetryPolicy policy) {
        this.retryPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Sets what is done with refused events of one type.
     *
     * @param eventType the type
     * @param policy the policy
     * @return this builder
     */
    public RelayConfigBuilder retryPolicy(String eventType, RetryPolicy policy) {
        retryPolicies.put(Objects.requireNonNull(eventType, "eventType"), Objects.requireNonNull(policy, "policy"));
        return this;
    }

    /**
     * Sets what becomes of an aggregate when one of its events has become a dead letter. Default:
     * {@link DeadLetterPolicy#GO_ON}. All relays of an outbox must agree.
     *
     * @param policy the policy
     * @return this builder
     */
    public RelayConfigBuilder deadLetterPolicy(DeadLetterPolicy policy) {
        this.deadLetterPolicy = Objects.requireNonNull(policy, "policy");
        return this;
    }

    /**
     * Sets what becomes of a row whose event was published. Default: {@link PublishedRows#KEEP}. Dead letters stay
     * either way.
     *
     * @param rows what becomes of them
     * @return this builder
     */
    public RelayConfigBuilder publishedRows(PublishedRows rows) {
        this.publishedRows = Objects.requireNonNull(rows, "rows");
        return this;
    }

    /**
     * Has the relay listen for new events, so that it wakes within milliseconds of their commit. Default: it polls alone.
     *
     * <p>It takes one connection and keeps it for as long as it runs, so this must not be a pool: a
     * {@code PGSimpleDataSource} does. The connection must go to the primary itself; where a pooler in transaction mode swallows
     * notifications, or where this is another database than the relay's, it finds out, says so once, and polls. Log-in and
     * socket time-outs of 10 s are set on the driver's data source if it has none. Not used by {@link Relay#runOnce}.
     *
     * @param unpooled the outbox's database
     * @return this builder
     */
    public RelayConfigBuilder listenOn(DataSource unpooled) {
        this.listenOn = Objects.requireNonNull(unpooled, "unpooled");
        return this;
    }

    /**
     * Sets how long a worker rests after it found nothing to send, while the relay does not listen. Default: 250 ms.
     * While there is something, the next batch follows at once.
     *
     * @param interval 1 ms to 7 days
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public RelayConfigBuilder pollInterval(Duration interval) {
        this.pollInterval = Settings.requireBetween("pollInterval", LONGEST, interval);
        return this;
    }

    /**
     * Sets how long the relay rests at most while it listens. Default: 30 s. So long may an event have to wait that nobody
     * notified of: when another relay has died with it in its hands, or its writer was slow to commit, which has it wait no
     * longer than its transaction took. A shorter time costs statements while there is nothing to do.
     *
     * @param interval 1 ms to 7 days
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public RelayConfigBuilder fallbackPollInterval(Duration interval) {
        this.fallbackPollInterval = Settings.requireBetween("fallbackPollInterval", LONGEST, interval);
        return this;
    }

    /**
     * Sets how long the broker has to confirm what was sent. Default: 10 s. What is not confirmed by then counts as
     * unknown and is sent again, so a shorter time than the broker needs under load causes duplicates. The relay's
     * transaction stays open for up to twice as long; the database ends its session after as long again, or 2 s more.
     *
     * @param timeout 1 ms to 7 days
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public RelayConfigBuilder confirmTimeout(Duration timeout) {
        this.confirmTimeout = Settings.requireBetween("confirmTimeout", LONGEST, timeout);
        return this;
    }

    /**
     * Sets how long one statement of the relay may take, its waits for locks included. Default: 30 s. Then the batch is rolled
     * back, what it sent is sent again, and the relay is {@link RelayState#WAITING_FOR_DATABASE}. A connection on which no
     * answer comes within 5 s more is given up.
     *
     * @param timeout 1 ms to 7 days
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public RelayConfigBuilder statementTimeout(Duration timeout) {
        this.statementTimeout = Settings.requireBetween("statementTimeout", LONGEST, timeout);
        return this;
    }

    /**
     * Sets how long {@link Relay#close} waits for batches under way before it interrupts them. Default: 10 s.
     *
     * @param timeout 1 ms to 7 days
     * @return this builder
     * @throws IllegalArgumentException if out of bounds
     */
    public RelayConfigBuilder closeTimeout(Duration timeout) {
        this.closeTimeout = Settings.requireBetween("closeTimeout", LONGEST, timeout);
        return this;
    }

    /**
     * Adds one that is told what the relay does. Default: none.
     *
     * @param observer told after those that were added before
     * @return this builder
     */
    public RelayConfigBuilder observer(RelayObserver observer) {
        observers.add(Objects.requireNonNull(observer, "observer"));
        return this;
    }

    /**
     * Makes the settings.
     *
     * @return the settings
     * @throws IllegalArgumentException if aggregates are to be held that keep no order
     */
    public RelayConfig build() {
        if (!ordered && deadLetterPolicy == DeadLetterPolicy.HOLD_AGGREGATE) {
            throw new IllegalArgumentException(
                    "deadLetterPolicy must be GO_ON where ordered is false (was HOLD_AGGREGATE)");
        }
        return new RelayConfig(this);
    }
}
