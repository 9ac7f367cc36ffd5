package dev.typedoutbox.benchmark.peers.debezium;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Event;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;

/** The table that the event router expects, in its documented form, and the replication slot that reads it. */
final class Outbox {
    static final String PUBLICATION = "outbox_publication";

    private static final int EVENTS_PER_FILLING_TRANSACTION = 1_000;
    private static final String TABLE = """
            create table outbox (
                id uuid primary key,
                aggregatetype varchar(255) not null,
                aggregateid varchar(255) not null,
                type varchar(255) not null,
                payload jsonb
            )
            """;
    private static final String INSERT =
            "insert into outbox (id, aggregatetype, aggregateid, type, payload) values (?, ?, ?, ?, ?::jsonb)";

    private final DataSource dataSource;
    private final String slot;

    Outbox(DataSource dataSource, String slot) {
        this.dataSource = dataSource;
        this.slot = slot;
    }

    void create() throws SQLException {
        execute(TABLE, "create publication " + PUBLICATION + " for table outbox with (publish = 'insert')");
        createSlot();
    }

    /** Leaves an empty table, and a slot that begins after everything that was in it. */
    void empty() throws SQLException {
        dropSlot();
        execute("truncate outbox");
        createSlot();
    }

    void fill(Backlog backlog) throws SQLException {
        List<Event> transaction = new ArrayList<>();
        for (long number = 0; number < backlog.events(); number++) {
            transaction.add(backlog.event(number));
            if (transaction.size() == EVENTS_PER_FILLING_TRANSACTION || number == backlog.events() - 1) {
                insert(transaction);
                transaction.clear();
            }
        }
    }

    void insert(List<Event> events) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement insert = connection.prepareStatement(INSERT)) {
            connection.setAutoCommit(false);
            for (Event event : events) {
                insert.setObject(1, UUID.randomUUID());
                insert.setString(2, event.aggregateType());
                insert.setString(3, event.aggregateId());
                insert.setString(4, event.type());
                insert.setString(5, event.payload());
                insert.addBatch();
            }
            insert.executeBatch();
            connection.commit();
        }
    }

    void dropSlot() throws SQLException {
        execute("select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '" + slot
                + "'");
    }

    private void createSlot() throws SQLException {
        execute("select pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
