package dev.typedoutbox.property;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Applications with one connection each, whose transactions overlap. Writers of one aggregate take turns by a lock on its
 * row; one that would have to wait for another does nothing.
 */
final class Writers {
    private static final String INSERT = "insert into outbox_events (aggregate_type, aggregate_id, event_type, payload)"
            + " values ('order', {0}, 'changed', '{\"by\": \"sql\"}') returning id";

    private final Outbox outbox = Outbox.create();
    private final Ledger ledger;
    private final List<String> aggregates;
    private final List<Connection> connections;
    private final List<List<UUID>> open = new ArrayList<>();
    private final Map<String, Integer> lockedBy = new HashMap<>();

    /** @param connections one for each writer, in no transaction */
    Writers(Ledger ledger, List<String> aggregates, List<Connection> connections) {
        this.ledger = ledger;
        this.aggregates = aggregates;
        this.connections = connections;
        connections.forEach(connection -> open.add(new ArrayList<>()));
    }

    synchronized void write(Action.Write write) {
        String aggregate = aggregates.get(write.aggregate());
        if (lockedBy.getOrDefault(aggregate, write.writer()) != write.writer()) {
            return;
        }
        DSLContext tx = DSL.using(connections.get(write.writer()), SQLDialect.POSTGRES);
        if (lockedBy.putIfAbsent(aggregate, write.writer()) == null) {
            tx.execute("select 1 from aggregates where id = {0} for update", DSL.val(aggregate));
        }
        List<UUID> ids = write.plainSql() ? insert(tx, aggregate, write.events()) : publish(tx, aggregate, write);
        ids.forEach(id -> ledger.written(id, aggregate));
        open.get(write.writer()).addAll(ids);
    }

    synchronized void commit(int writer) {
        ledger.committing(open.get(writer));
        end(writer, Connection::commit);
    }

    synchronized void rollBack(int writer) {
        ledger.rolledBack(open.get(writer));
        end(writer, Connection::rollback);
    }

    synchronized void commitAll() {
        for (int writer = 0; writer < connections.size(); writer++) {
            commit(writer);
        }
    }

    private void end(int writer, Ending ending) {
        try {
            ending.of(connections.get(writer));
        } catch (SQLException e) {
            throw new IllegalStateException("a writer's transaction could not be ended", e);
        }
        open.get(writer).clear();
        lockedBy.values().removeIf(owner -> owner == writer);
    }

    private List<UUID> publish(DSLContext tx, String aggregate, Action.Write write) {
        return outbox.publishAll(
                tx, Collections.nCopies(write.events(), NewEvent.of("order", aggregate, "changed", "x")));
    }

    private static List<UUID> insert(DSLContext tx, String aggregate, int events) {
        List<UUID> ids = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            ids.add(tx.fetchSingle(INSERT, DSL.val(aggregate)).get(0, UUID.class));
        }
        return ids;
    }

    private interface Ending {
        void of(Connection connection) throws SQLException;
    }
}
