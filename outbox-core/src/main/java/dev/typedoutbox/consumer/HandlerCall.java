package dev.typedoutbox.consumer;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.store.Cause;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Calls a consumer's handler, and sees to it that the transaction is still open afterwards. */
final class HandlerCall {
    private final String consumer;
    private final EventHandler handler;

    HandlerCall(String consumer, EventHandler handler) {
        this.consumer = consumer;
        this.handler = handler;
    }

    void run(Connection connection, DSLContext tx, OutboxEvent event) throws SQLException {
        try (LoggingContext context = new LoggingContext(consumer, event)) {
            handler.handle(Cause.of(event).attachedTo(tx), event);
            requireOpenTransaction(connection, event);
        } catch (RuntimeException | SQLException e) {
            throw e;
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new HandlerException("event " + event.id() + " could not be applied: " + e.getMessage(), e);
        }
    }

    /** PostgreSQL answers the commit of an aborted transaction with a rollback, and the driver does not throw. */
    private static void requireOpenTransaction(Connection connection, OutboxEvent event) throws SQLException {
        TransactionState state = connection.unwrap(BaseConnection.class).getTransactionState();
        if (state != TransactionState.OPEN) {
            throw notOpen(event, state == TransactionState.FAILED ? "aborted by an error" : "ended", null);
        }
    }

    static IllegalStateException notOpen(OutboxEvent event, String was, @Nullable Exception cause) {
        return new IllegalStateException(
                "the transaction must be open when the handler of event " + event.id() + " returns (was " + was
                        + "): let SQL errors pass, or catch them around tx.transaction(...), and neither commit nor roll back",
                cause);
    }
}
