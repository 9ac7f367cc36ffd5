package dev.typedoutbox.property;

import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Another program with a transaction of its own, which holds locks on rows and lets them go again. */
final class Stranger {
    private static final String LOCK_OLDEST =
            "select id from outbox_events where processed_at is null and dead_at is null"
                    + " order by seq limit 1 for update skip locked";

    private final Connection connection;

    Stranger(Connection connection) {
        this.connection = connection;
    }

    void lockOldest() {
        DSL.using(connection, SQLDialect.POSTGRES).fetch(LOCK_OLDEST);
    }

    void letGo() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException("locks could not be let go", e);
        }
    }
}
