package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchemaException;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;

/** What the failures of a command mean for its user. */
final class Explanation {
    private Explanation() {}

    static Failure of(Exception failure) {
        if (failure instanceof Failure explained) {
            return explained;
        }
        if (failure instanceof OutboxSchemaException) {
            return Failure.schema(Reason.of(failure), failure);
        }
        if (failure instanceof DataAccessException || failure instanceof SQLException) {
            return Failure.of("the database failed: " + databaseReason(failure), failure);
        }
        if (failure instanceof InterruptedException) {
            return Failure.of("interrupted", failure);
        }
        return Failure.of("failed unexpectedly: " + Reason.of(failure) + "; --log-level debug shows where", failure);
    }

    /** The first of the causes that the database itself, or the way to it, speaks of. */
    private static String databaseReason(Throwable failure) {
        return Reason.causes(failure).stream()
                .filter(SQLException.class::isInstance)
                .findFirst()
                .map(Reason::of)
                .orElseGet(() -> Reason.ofRoot(failure));
    }

    /** Whether it may go by itself, as the absence of a server does. */
    static boolean isOutage(Throwable failure) {
        return Reason.causes(failure).stream()
                .filter(SQLException.class::isInstance)
                .map(cause -> String.valueOf(((SQLException) cause).getSQLState()))
                // Connection trouble, too many connections, and a server that stops or starts.
                .anyMatch(state -> state.startsWith("08") || state.startsWith("53") || state.startsWith("57P0"));
    }
}
