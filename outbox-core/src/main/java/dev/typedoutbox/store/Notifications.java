package dev.typedoutbox.store;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection on which a relay hears of new events, and holds the gate: while it does, writers notify. Always in
 * auto-commit, since a listener in a transaction would keep the server's queue of notifications from being emptied. Used by
 * one thread, except {@link #cut}.
 */
public final class Notifications implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);

    private static final Field<Integer> GATE = inline(AdvisoryLocks.GATE);

    private static final Duration ANSWER = Duration.ofSeconds(5);

    /** An idle session is what this is, and one whose host is gone must not keep the gate. */
    private static final Map<String, String> SETTINGS = Map.of(
            "idle_session_timeout", "0",
            "tcp_keepalives_idle", "10",
            "tcp_keepalives_interval", "5",
            "tcp_keepalives_count", "3",
            "tcp_user_timeout", "25000");

    private final Connection connection;
    private final DSLContext dsl;
    private final TableOid table;
    private final String schema;
    private final String channel;

    private Notifications(Connection connection, String schema) throws SQLException {
        this.connection = connection;
        this.schema = schema;
        connection.setAutoCommit(true);
        connection.setNetworkTimeout(Runnable::run, Math.toIntExact(ANSWER.toMillis()));
        this.dsl = new OutboxDsl(schema).on(connection);
        this.table = new TableOid(schema);
        this.channel = dsl.select(table.channel()).fetchSingle().value1();
    }

    /**
     * Connects and listens.
     *
     * @throws SQLException if the database cannot be reached
     * @throws org.jooq.exception.DataAccessException if it has no outbox, or is a standby
     */
    public static Notifications open(DataSource unpooled, String schema) throws SQLException {
        Connection connection = unpooled.getConnection();
        try {
            Notifications notifications = new Notifications(connection, schema);
            notifications.listen();
            return notifications;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private void listen() {
        SETTINGS.forEach(this::set);
        // jOOQ has no LISTEN.
        dsl.execute("listen {0}", name(channel));
    }

    private void set(String setting, String value) {
        dsl.select(function("set_config", SQLDataType.VARCHAR, inline(setting), val(value), inline(false)))
                .execute();
    }

    /**
     * Lets the relay be found in the database, by its name and as one of this outbox. Not before it is known that the session
     * is this connection's own: a pooler may hand it to others, name and all.
     */
    public void introduce(String relay) {
        set("application_name", ApplicationName.of(relay));
        dsl.select(function(
                        "pg_try_advisory_lock_shared",
                        SQLDataType.BOOLEAN,
                        table.oid(),
                        inline(AdvisoryLocks.LISTENER)))
                .execute();
    }

    /**
     * Whether a notification from the outbox's database arrives. It does not if this listens to another one, nor behind a
     * pooler in transaction mode: there the server's session that listens is not this connection's own.
     */
    public boolean arrive(DataSource outbox, Duration timeout) throws SQLException {
        String token = UUID.randomUUID().toString();
        try (Connection connectionToOutbox = outbox.getConnection()) {
            NetworkTimeout.during(connectionToOutbox, ANSWER, () -> tell(connectionToOutbox, token));
        }
        long end = System.nanoTime() + timeout.toNanos();
        for (long left = timeout.toNanos(); left > 0; left = end - System.nanoTime()) {
            if (receive(Duration.ofNanos(left)).contains(token)) {
                return true;
            }
        }
        return false;
    }

    private int tell(Connection connectionToOutbox, String token) throws SQLException {
        return LocalTransaction.run(
                connectionToOutbox,
                () -> new OutboxDsl(schema)
                        .on(connectionToOutbox)
                        .select(notification(val(channel), token))
                        .execute());
    }

    /** Waits until something is heard, or the time is over; answers whether it was. */
    public boolean await(Duration timeout) throws SQLException {
        return !receive(timeout).isEmpty();
    }

    private List<String> receive(Duration timeout) throws SQLException {
        // Zero would wait for ever.
        int millis = Math.max(1, Math.toIntExact(timeout.toMillis()));
        PGNotification[] notifications = connection.unwrap(PGConnection.class).getNotifications(millis);
        return notifications == null
                ? List.of()
                : Arrays.stream(notifications).map(PGNotification::getParameter).toList();
    }

    /**
     * Takes the gate, if no other relay has it and no writer is just looking at it; writers notify from then on.
     *
     * @throws IllegalStateException if the table is another one than when this began to listen
     */
    public boolean takeGate() {
        var row = dsl.select(table.channel(), function("pg_try_advisory_lock", SQLDataType.BOOLEAN, table.oid(), GATE))
                .fetchSingle();
        requireSameTable(row.value1());
        return row.value2();
    }

    public void leaveGate() {
        dsl.select(function("pg_advisory_unlock", SQLDataType.BOOLEAN, table.oid(), GATE))
                .execute();
    }

    /**
     * Asks the server for an answer.
     *
     * @return how full the server's queue of notifications is, from 0 to 1; commits that notify fail when it is full
     * @throws IllegalStateException if the table is another one than when this began to listen
     */
    public double queueUsage() {
        Field<Double> usage = function("pg_notification_queue_usage", SQLDataType.DOUBLE);
        var row = dsl.select(table.channel(), usage).fetchSingle();
        requireSameTable(row.value1());
        return row.value2();
    }

    private void requireSameTable(String channelNow) {
        if (!channelNow.equals(channel)) {
            throw new IllegalStateException("outbox_events was made anew");
        }
    }

    /** Wakes the relays that listen, when the transaction commits. */
    public static void wakeRelays(DSLContext tx, String schema) {
        tx.select(notification(new TableOid(schema).channel(), "")).execute();
    }

    private static Field<Object> notification(Field<String> channel, String text) {
        return function("pg_notify", SQLDataType.OTHER, channel, inline(text));
    }

    /** Ends the connection under whatever is done with it. */
    public void cut() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            LOG.debug("listening connection could not be aborted", e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            LOG.debug("listening connection could not be closed", e);
        }
    }
}
