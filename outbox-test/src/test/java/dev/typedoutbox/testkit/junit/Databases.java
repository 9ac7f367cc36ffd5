package dev.typedoutbox.testkit.junit;

import dev.typedoutbox.servers.PostgresServer;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The databases of the shared server. */
final class Databases {
    private Databases() {}

    static List<String> names() {
        return dsl(PostgresServer.shared().dataSource())
                .fetch("select datname from pg_database")
                .getValues(0, String.class);
    }

    static String nameOf(DataSource database) {
        return dsl(database).fetchSingle("select current_database()").get(0, String.class);
    }

    static DSLContext dsl(DataSource database) {
        return DSL.using(database, SQLDialect.POSTGRES);
    }
}
