package dev.typedoutbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.store.CallerTransaction;
import dev.typedoutbox.store.Cause;
import dev.typedoutbox.store.NewRow;
import dev.typedoutbox.store.OutboxDsl;
import dev.typedoutbox.store.OutboxStore;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/**
 * Writes events to the outbox, in the transaction that writes the business data.
 *
 * <p>The transaction is always an argument: a jOOQ {@link DSLContext} or {@link Configuration} as
 * {@code dsl.transaction(...)} hands it over or as Spring manages it, or a JDBC {@link Connection} with auto-commit off.
 * When it commits, a relay publishes the event at least once; when it rolls back, there is no event. Nothing here talks to
 * a broker, commits, or rolls back.
 *
 * <p>What a consumer's handler publishes on the jOOQ context that it was handed, or on a transaction nested in that, gets
 * the headers {@value OutboxEvent#CAUSATION_ID} (the id of the event that is being handled) and
 * {@value OutboxEvent#CORRELATION_ID} (that event's {@link OutboxEvent#correlationId}), except those that the new event has
 * already. They count towards the limit of the headers' size. They are found in the jOOQ configuration and nowhere else: on a
 * JDBC connection, or on another jOOQ context, an event gets none. What {@link Builder#headers} adds is added in every case.
 *
 * <p>Stateless and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class Outbox {
    /** The largest payload by default, in bytes: {@value}, which RabbitMQ 4 takes as the largest message by default. */
    public static final int DEFAULT_MAX_PAYLOAD_BYTES = 16 * 1024 * 1024;

    private final CallerTransaction transaction;
    private final PayloadJson payloads;
    private final AddedHeaders headers;

    private Outbox(Builder builder) {
        this.transaction = new CallerTransaction(
                new OutboxDsl(builder.schema),
                "an event is written",
                "write the event in the transaction that writes the business data");
        this.payloads = new PayloadJson(builder.mapper, builder.maxPayloadBytes);
        this.headers = new AddedHeaders(builder.headers);
    }

    /**
     * An outbox with the defaults of {@link Builder}.
     *
     * @return the outbox
     */
    public static Outbox create() {
        return builder().build();
    }

    /**
     * Begins an outbox with other settings than the defaults.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Writes an event in a jOOQ transaction.
     *
     * @param tx the transaction
     * @param event what happened
     * @return the event's id, which is also the message id
     * @throws InvalidEventException if the event breaks a rule; no SQL was sent, the transaction is still usable
     * @throws NoTransactionException if no transaction is open
     * @throws DataAccessException if the database fails; its cause is the SQLException
     */
    public UUID publish(DSLContext tx, NewEvent event) {
        return publish(tx.configuration(), event);
    }

    /**
     * Writes an event in a jOOQ transaction.
     *
     * @param tx the transaction
     * @param event what happened
     * @return the event's id, which is also the message id
     * @throws InvalidEventException if the event breaks a rule; no SQL was sent, the transaction is still usable
     * @throws NoTransactionException if no transaction is open
     * @throws DataAccessException if the database fails; its cause is the SQLException
     */
    public UUID publish(Configuration tx, NewEvent event) {
        return publishAll(tx, List.of(event)).get(0);
    }

    /**
     * Writes an event in a JDBC transaction. Headers that name the event's cause are not added.
     *
     * @param tx a connection with auto-commit off
     * @param event what happened
     * @return the event's id, which is also the message id
     * @throws InvalidEventException if the event breaks a rule; no SQL was sent, the transaction is still usable
     * @throws NoTransactionException if auto-commit is on
     * @throws DataAccessException if the database fails; its cause is the SQLException
     */
    public UUID publish(Connection tx, NewEvent event) {
        return publishAll(tx, List.of(event)).get(0);
    }

    /**
     * Writes several events in a jOOQ transaction, with one statement for many; they keep the order of the collection.
     *
     * @param tx the transaction
     * @param events what happened
     * @return the events' ids, in the same order
     * @throws InvalidEventException if an event breaks a rule; no SQL was sent, the transaction is still usable
     * @throws NoTransactionException if no transaction is open
     * @throws DataAccessException if the database fails; its cause is the SQLException
     */
    public List<UUID> publishAll(DSLContext tx, Collection<NewEvent> events) {
        return publishAll(tx.configuration(), events);
    }

    /**
     * Writes several events in a jOOQ transaction, with one statement for many; they keep the order of the collection.
     *
     * @param tx the transaction
     * @param events what happened
     * @return the events' ids, in the same order
     * @throws InvalidEventException if an event breaks a rule; no SQL was sent, the transaction is still usable
     * @throws NoTransactionException if no transaction is open
     * @throws DataAccessException if the database fails; its cause is the SQLException
     */
    public List<UUID> publishAll(Configuration tx, Collection<NewEvent> events) {
        return write(events, Cause.in(tx), insert -> transaction.run(tx, insert));
    }

    /**
     * Writes several events in a JDBC transaction, with one statement for many; they keep the order of the collection.
     * Headers that name the events' cause are not added.
     *
     * @param tx a connection with auto-commit off
     * @param events what happened
     * @return the events' ids, in the same order
     * @throws InvalidEventException if an event breaks a rule; no SQL was sent, the transaction is still usable
     * @throws NoTransactionException if auto-commit is on
     * @throws DataAccessException if the database fails; its cause is the SQLException
     */
    public List<UUID> publishAll(Connection tx, Collection<NewEvent> events) {
        return write(events, null, insert -> transaction.run(tx, insert));
    }

    private List<UUID> write(
            Collection<NewEvent> events,
            @Nullable Cause cause,
            Function<CallerTransaction.Work<List<UUID>>, List<UUID>> inTransaction) {
        List<NewRow> rows = events.stream().map(event -> toRow(event, cause)).toList();
        return rows.isEmpty() ? List.of() : inTransaction.apply((connection, tx) -> insert(tx, rows));
    }

    private static List<UUID> insert(DSLContext tx, List<NewRow> rows) {
        OutboxStore.insert(tx, rows);
        return rows.stream().map(NewRow::id).toList();
    }

    private NewRow toRow(NewEvent event, @Nullable Cause cause) {
        TextRules.requireName("aggregateType", event.aggregateType());
        TextRules.requireName("aggregateId", event.aggregateId());
        TextRules.requireName("eventType", event.eventType());
        TextRules.requireShortString("eventType, the routing key,", event.eventType());
        UUID id = UuidV7.next();
        String payload = payloads.write(event.payload());
        Map<String, Object> own = cause == null ? event.headers() : cause.addedTo(event.headers());
        return new NewRow(
                id,
                event.aggregateType(),
                event.aggregateId(),
                event.eventType(),
                payload,
                headers.toJson(id, event, own));
    }

    /** Collects the settings of an {@link Outbox}. Not safe for use by several threads. */
    public static final class Builder {
        private String schema = OutboxSchema.DEFAULT_SCHEMA;
        private ObjectMapper mapper = Json.MAPPER;
        private int maxPayloadBytes = DEFAULT_MAX_PAYLOAD_BYTES;
        private final List<EventHeaders> headers = new ArrayList<>();

        private Builder() {}

        /**
         * Sets the schema that holds the outbox's tables. Default: {@value OutboxSchema#DEFAULT_SCHEMA}. The tables are
         * always named with it, whatever the search path.
         *
         * @param name as the database spells it, capitals kept
         * @return this builder
         * @throws IllegalArgumentException if it is no schema's: see {@link OutboxSchema#requireName}
         */
        public Builder schema(String name) {
            this.schema = OutboxSchema.requireName(name);
            return this;
        }

        /**
         * Sets what makes JSON of payload objects. Default: a mapper that writes {@code java.time} as ISO text and
         * {@code BigDecimal} exactly.
         *
         * @param objectMapper must not be reconfigured afterwards
         * @return this builder
         */
        public Builder objectMapper(ObjectMapper objectMapper) {
            this.mapper = Objects.requireNonNull(objectMapper, "objectMapper");
            return this;
        }

        /**
         * Sets the largest payload. Default: {@value Outbox#DEFAULT_MAX_PAYLOAD_BYTES}. Larger ones are refused where they
         * are written, since the broker would refuse them later. Must not be above the broker's own limit.
         *
         * @param bytes 1 or more, of the payload as the database may spell it: its JSON text in UTF-8, with numbers written
         *     without exponents, and one byte more for each key and each element
         * @return this builder
         * @throws IllegalArgumentException if below 1
         */
        public Builder maxPayloadBytes(int bytes) {
            if (bytes < 1) {
                throw new IllegalArgumentException("maxPayloadBytes must be at least 1 (was " + bytes + ")");
            }
            this.maxPayloadBytes = bytes;
            return this;
        }

        /**
         * Adds headers to each event, whichever way it is published. May be called several times. A header that an event has
         * already is not added, nor one that a source before gave it. All headers of an event together count towards the
         * limit of their size, 64 KiB.
         *
         * @param source gives the headers of each event
         * @return this builder
         */
        public Builder headers(EventHeaders source) {
            this.headers.add(Objects.requireNonNull(source, "source"));
            return this;
        }

        /**
         * Makes the outbox.
         *
         * @return the outbox
         */
        public Outbox build() {
            return new Outbox(this);
        }
    }
}
