package dev.typedoutbox.benchmark.harness;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** What the outbox's table does to wake a relay, for one run of the writers. Closing it restores the table. */
final class WakeUp implements AutoCloseable {
    /** The trigger of the table. */
    enum Trigger {
        /** The library's is switched off. */
        NONE,
        /** Every statement notifies. */
        PLAIN,
        /** The library's own. */
        GATED;

        @Override
        public String toString() {
            return this == NONE ? "no" : name().toLowerCase(Locale.ROOT);
        }
    }

    private static final String PLAIN = """
            create function benchmark_notify() returns trigger language plpgsql as
              $$ begin perform pg_notify('benchmark', ''); return null; end $$;
            create trigger benchmark_plain after insert on outbox_events
              for each statement execute function benchmark_notify()
            """;
    private static final String NO_PLAIN = """
            drop trigger if exists benchmark_plain on outbox_events;
            drop function if exists benchmark_notify();
            alter table outbox_events enable trigger user
            """;
    /** What a sleeping relay does: it listens, and holds the lock that the gated trigger tries. */
    private static final String SLEEP = """
            do $$ begin
              execute format('listen outbox_%s', 'outbox_events'::regclass::oid);
              perform pg_advisory_lock('outbox_events'::regclass::oid::int, 64);
            end $$
            """;

    private final PGSimpleDataSource database;
    private final @Nullable Connection sleeper;

    private WakeUp(PGSimpleDataSource database, @Nullable Connection sleeper) {
        this.database = database;
        this.sleeper = sleeper;
    }

    static WakeUp with(PGSimpleDataSource database, Trigger trigger, boolean asleep) throws SQLException {
        Postgres.execute(database, NO_PLAIN);
        if (trigger != Trigger.GATED) {
            Postgres.execute(database, "alter table outbox_events disable trigger user");
        }
        if (trigger == Trigger.PLAIN) {
            Postgres.execute(database, PLAIN);
        }
        return new WakeUp(database, asleep ? sleeper(database) : null);
    }

    private static Connection sleeper(PGSimpleDataSource database) throws SQLException {
        Connection connection = database.getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute(SLEEP);
        }
        return connection;
    }

    /** Fails if nothing woke the sleeper: then its lock is no longer the one that the trigger tries. */
    void check() throws SQLException, ContenderFailure {
        if (sleeper == null) {
            return;
        }
        try (Statement statement = sleeper.createStatement()) {
            statement.execute("select 1");
        }
        if (sleeper.unwrap(PGConnection.class).getNotifications().length == 0) {
            throw new ContenderFailure("the trigger did not notify a sleeping relay");
        }
    }

    @Override
    public void close() throws SQLException {
        if (sleeper != null) {
            sleeper.close();
        }
        Postgres.execute(database, NO_PLAIN);
    }
}
