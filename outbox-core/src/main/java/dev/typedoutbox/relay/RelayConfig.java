package dev.typedoutbox.relay;

import dev.typedoutbox.store.HoldBack;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link Relay}. Immutable and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class RelayConfig {
    /** Workers by default: {@value}. */
    public static final int DEFAULT_WORKERS = 2;

    /** Events in a batch by default: {@value}. */
    public static final int DEFAULT_BATCH_SIZE = 500;

    /** Bytes of payload and headers in a batch by default: {@value}. */
    public static final long DEFAULT_MAX_BATCH_BYTES = 8L * 1024 * 1024;

    /** The largest payload and headers of an event that a relay takes by default, in bytes: {@value}. */
    public static final int DEFAULT_MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

    private final String name;
    private final String schema;
    private final int workers;
    private final int batchSize;
    private final long maxBatchBytes;
    private final boolean ordered;
    private final int maxPayloadBytes;
    private final RetryPolicy retryPolicy;
    private final Map<String, RetryPolicy> retryPolicies;
    private final DeadLetterPolicy deadLetterPolicy;
    private final PublishedRows publishedRows;
    private final Duration pollInterval;
    private final Duration fallbackPollInterval;
    private final @Nullable DataSource listenOn;
    private final Duration confirmTimeout;
    private final Duration statementTimeout;
    private final Duration closeTimeout;
    private final List<RelayObserver> observers;

    RelayConfig(RelayConfigBuilder builder) {
        this.name = builder.name;
        this.schema = builder.schema;
        this.workers = builder.workers;
        this.batchSize = builder.batchSize;
        this.maxBatchBytes = builder.maxBatchBytes;
        this.ordered = builder.ordered;
        this.maxPayloadBytes = builder.maxPayloadBytes;
        this.retryPolicy = builder.retryPolicy;
        this.retryPolicies = Map.copyOf(builder.retryPolicies);
        this.deadLetterPolicy = builder.deadLetterPolicy;
        this.publishedRows = builder.publishedRows;
        this.pollInterval = builder.pollInterval;
        this.fallbackPollInterval = builder.fallbackPollInterval;
        this.listenOn = builder.listenOn;
        this.confirmTimeout = builder.confirmTimeout;
        this.statementTimeout = builder.statementTimeout;
        this.closeTimeout = builder.closeTimeout;
        this.observers = List.copyOf(builder.observers);
    }

    /**
     * The defaults of {@link RelayConfigBuilder}.
     *
     * @return the settings
     */
    public static RelayConfig defaults() {
        return builder().build();
    }

    /**
     * Begins settings other than the defaults.
     *
     * @return a builder
     */
    public static RelayConfigBuilder builder() {
        return new RelayConfigBuilder();
    }

    /** {@return what the relay is called in the log and in the database} */
    public String name() {
        return name;
    }

    /** {@return the name of the schema that holds the outbox's tables} */
    public String schema() {
        return schema;
    }

    /** {@return how many batches may be under way at once, each on a thread of its own} */
    public int workers() {
        return workers;
    }

    /** {@return how many events a batch holds at most} */
    public int batchSize() {
        return batchSize;
    }

    /** {@return how many bytes of payload and headers a batch holds at most; one event is always taken, however large} */
    public long maxBatchBytes() {
        return maxBatchBytes;
    }

    /** {@return whether the events of an aggregate keep their order} */
    public boolean ordered() {
        return ordered;
    }

    /** {@return how large an event's payload and headers may be together, in bytes of their JSON text} */
    public int maxPayloadBytes() {
        return maxPayloadBytes;
    }

    /**
     * Tells what is done with refused events of a type.
     *
     * @param eventType the type
     * @return the policy of this type, or else that of all others
     */
    public RetryPolicy retryPolicy(String eventType) {
        return retryPolicies.getOrDefault(eventType, retryPolicy);
    }

    /** {@return what becomes of an aggregate with a dead letter} */
    public DeadLetterPolicy deadLetterPolicy() {
        return deadLetterPolicy;
    }

    /** {@return what becomes of a row whose event was published} */
    public PublishedRows publishedRows() {
        return publishedRows;
    }

    /** {@return how long a worker rests after it found nothing to send, while nothing wakes it} */
    public Duration pollInterval() {
        return pollInterval;
    }

    /** {@return how long the relay rests at most while it listens} */
    public Duration fallbackPollInterval() {
        return fallbackPollInterval;
    }

    /** {@return where the relay gets the connection on which it listens; empty if it polls alone} */
    public Optional<DataSource> listenOn() {
        return Optional.ofNullable(listenOn);
    }

    /** {@return how long the broker has to confirm what was sent} */
    public Duration confirmTimeout() {
        return confirmTimeout;
    }

    /** {@return how long one statement may take} */
    public Duration statementTimeout() {
        return statementTimeout;
    }

    /** {@return how long {@link Relay#close} waits for batches under way} */
    public Duration closeTimeout() {
        return closeTimeout;
    }

    /** {@return who is told what the relay does} */
    public List<RelayObserver> observers() {
        return observers;
    }

    HoldBack holdBack() {
        if (!ordered) {
            return HoldBack.NONE;
        }
        return deadLetterPolicy == DeadLetterPolicy.HOLD_AGGREGATE ? HoldBack.WAITING_OR_DEAD : HoldBack.WAITING;
    }
}
