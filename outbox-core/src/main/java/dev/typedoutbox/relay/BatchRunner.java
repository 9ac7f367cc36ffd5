package dev.typedoutbox.relay;

import dev.typedoutbox.store.BoundedConnections;
import dev.typedoutbox.store.OutboxStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs batches, each in a transaction of its own. Used by one thread, except {@link #abort}. */
final class BatchRunner {
    private static final Logger LOG = LoggerFactory.getLogger(BatchRunner.class);

    /** Time for the database's own bound on a statement to be felt before the connection is given up. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final BoundedConnections connections;
    private final RelayConfig config;
    private final Floor floor;
    private final OutboxStore store;
    private final RelayTransaction transaction;
    private final Observers observers;

    BatchRunner(DataSource dataSource, RelayConfig config, Queries queries, Floor floor, Observers observers) {
        this.connections =
                new BoundedConnections(dataSource, config.statementTimeout().plus(GRACE));
        this.config = config;
        this.floor = floor;
        this.store = queries.store();
        this.transaction = new RelayTransaction(queries);
        this.observers = observers;
    }

    BatchReport run(PublisherSession session) throws SQLException {
        try {
            return runOnConnection(session);
        } catch (SQLException | DataAccessException e) {
            observers.tell(observer -> observer.batchFailed(e));
            throw e;
        }
    }

    private BatchReport runOnConnection(PublisherSession session) throws SQLException {
        long begun = System.nanoTime();
        Batch batch = new Batch(store, config, floor);
        BatchReport report = connections.call(current -> runOn(current, batch, session));
        if (report.result().fetched() > 0) {
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            List<PublishAttempt> attempts = List.copyOf(batch.verdicts().attempts());
            observers.tell(observer -> observer.batchDone(report.result(), took, attempts));
        }
        return report;
    }

    private BatchReport runOn(Connection connection, Batch batch, PublisherSession session) throws SQLException {
        try {
            BatchReport report =
                    transaction.run(connection, (tx, databaseSession) -> batch.run(tx, databaseSession, session));
            batch.log().write();
            return report;
        } catch (SQLException | DataAccessException e) {
            floor.forget();
            if (batch.verdicts().isEmpty() || !RowByRow.isFaultOfARow(e)) {
                throw e;
            }
            LOG.warn("batch could not be settled as a whole and is settled row by row", e);
            BatchResult result =
                    new RowByRow(store, config, transaction, connection).settle(batch.verdicts(), batch.fetched());
            return BatchReport.of(result, batch.verdicts().unknown());
        }
    }

    /** Cuts the connection under a batch that does not end by itself, as when the database no longer answers. */
    void abort() {
        connections.abort();
    }
}
