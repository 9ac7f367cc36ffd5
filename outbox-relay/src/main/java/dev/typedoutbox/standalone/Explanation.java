package dev.typedoutbox.standalone;

import dev.typedoutbox.db.OutboxSchemaException;
import java.sql.SQLException;
import org.jooq.exception.DataAccessException;

/** What the failures of a command mean for its user. */
final class Explanation {
    private static final String NO_SUCH_TABLE = "42P01";
    private static final String NOT_ALLOWED = "42501";

    private Explanation() {}

    static Failure of(Exception failure) {
        if (failure instanceof Failure explained) {
            return explained;
        }
        if (failure instanceof OutboxSchemaException) {
            // The library speaks to those who program.
            String reason = Reason.of(failure).replace("call OutboxSchema.migrate", "run the command migrate");
            return Failure.schema(reason, failure);
        }
        if (failure instanceof DataAccessException || failure instanceof SQLException) {
            return ofDatabase(failure);
        }
        if (failure instanceof InterruptedException) {
            return Failure.of("interrupted", failure);
        }
        return Failure.of("failed unexpectedly: " + Reason.of(failure) + "; --log-level debug shows where", failure);
    }

    private static Failure ofDatabase(Exception failure) {
        String reason = "the database failed: " + databaseReason(failure);
        if (hasState(failure, NO_SUCH_TABLE)) {
            return Failure.schema(reason + "; the command migrate creates the tables, in the schema given", failure);
        }
        if (hasState(failure, NOT_ALLOWED)) {
            return Failure.of(reason + "; roles.sql has roles with the rights, such as outbox_admin", failure);
        }
        return Failure.of(reason, failure);
    }

    private static boolean hasState(Throwable failure, String state) {
        return Reason.causes(failure).stream()
                .anyMatch(cause -> cause instanceof SQLException wrong && state.equals(wrong.getSQLState()));
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
