package dev.typedoutbox.admin;

import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Stream;

/** Tells what the database is to blame for from what it is not. */
final class DatabaseFailure {
    /** More than anybody has, and an end for causes that somebody made into a circle. */
    private static final int MOST_CAUSES = 20;

    private DatabaseFailure() {}

    static boolean isIn(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(MOST_CAUSES)
                .anyMatch(SQLException.class::isInstance);
    }
}
