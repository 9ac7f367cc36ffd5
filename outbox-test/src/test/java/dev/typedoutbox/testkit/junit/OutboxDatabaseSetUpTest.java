package dev.typedoutbox.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.db.OutboxSchema;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the application does to its database before the outbox is made. */
class OutboxDatabaseSetUpTest {
    /** The databases that were set up. */
    private final List<String> seen = new ArrayList<>();

    @Test
    void applicationsFlywayMakesItsTablesBeforeTheOutboxHasAny() {
        TestRun.succeeds(WithFlyway.class, 1);
    }

    @Test
    void setUpThatNeedsTheOutboxMigratesItItself() {
        TestRun.succeeds(WithOwnMigration.class, 1);
    }

    @Test
    void databaseWhoseSetUpFailsIsDropped() {
        OutboxDatabaseExtension failing = OutboxDatabaseExtension.builder()
                .setUp(dataSource -> {
                    see(dataSource);
                    throw new IllegalStateException("no such migration");
                })
                .build();

        assertThatThrownBy(failing::dataSource)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no such migration");
        assertThat(seen).hasSize(1).doesNotContainAnyElementsOf(Databases.names());
    }

    @Test
    void whatTheSetUpMissesOnTheClassPathIsNamedAsItIs() {
        OutboxDatabaseExtension failing = OutboxDatabaseExtension.builder()
                .setUp(dataSource -> {
                    see(dataSource);
                    throw new NoClassDefFoundError("org/flywaydb/core/Flyway");
                })
                .build();

        assertThatThrownBy(failing::dataSource)
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessage("org/flywaydb/core/Flyway");
        assertThat(seen).hasSize(1).doesNotContainAnyElementsOf(Databases.names());
    }

    private void see(DataSource dataSource) {
        seen.add(Databases.nameOf(dataSource));
    }

    static class WithFlyway {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
                .setUp(dataSource ->
                        Flyway.configure().dataSource(dataSource).load().migrate())
                .setUp(dataSource -> Databases.dsl(dataSource).execute("insert into orders values ('1', 2)"))
                .build();

        @Test
        void tablesOfBothAreThere() throws SQLException {
            assertThat(DATABASE.outbox().events()).isEmpty();
            try (Connection connection =
                    DriverManager.getConnection(DATABASE.jdbcUrl(), DATABASE.user(), DATABASE.password())) {
                assertThat(DSL.using(connection, SQLDialect.POSTGRES).fetch("select * from orders"))
                        .hasSize(1);
            }
        }
    }

    static class WithOwnMigration {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
                .schema("Events")
                .setUp(dataSource -> OutboxSchema.migrate(dataSource, "Events"))
                .setUp(dataSource -> OutboxSchema.validate(dataSource, "Events"))
                .build();

        @Test
        void outboxIsThere() {
            assertThat(DATABASE.outbox().events()).isEmpty();
        }
    }
}
