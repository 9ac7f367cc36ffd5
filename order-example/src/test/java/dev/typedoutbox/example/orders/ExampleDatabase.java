package dev.typedoutbox.example.orders;

import static dev.typedoutbox.example.generated.Tables.ORDERS;

import dev.typedoutbox.servers.PostgresServer;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** A database of its own with the example's tables. */
final class ExampleDatabase {
    private final DataSource dataSource =
            PostgresServer.shared().createDatabase("example").dataSource();
    private final DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);

    ExampleDatabase() {
        OrderApplication.migrate(dataSource);
    }

    DataSource dataSource() {
        return dataSource;
    }

    DSLContext dsl() {
        return dsl;
    }

    int orders() {
        return dsl.fetchCount(ORDERS);
    }
}
