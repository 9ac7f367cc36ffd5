package dev.typedoutbox.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

class OutboxDatabaseExtensionTest {
    /** The databases that the samples have seen, in the order of their tests. */
    private static final List<String> SEEN = new CopyOnWriteArrayList<>();

    @AfterEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void testsOfAClassShareADatabaseWhoseOutboxIsEmptyBeforeEach() {
        TestRun.succeeds(Sharing.class, 3);

        assertThat(SEEN).hasSize(3);
        assertThat(SEEN.stream().distinct()).hasSize(1);
        assertThat(databases()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void eachTestHasItsOwnDatabaseWhereTheExtensionIsTheInstances() {
        TestRun.succeeds(OwnOnes.class, 2);

        assertThat(SEEN.stream().distinct()).hasSize(2);
        assertThat(databases()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void classesThatInheritAnExtensionHaveADatabaseEach() {
        TestRun.succeeds(FirstHeir.class, 1);
        TestRun.succeeds(SecondHeir.class, 1);

        assertThat(SEEN.stream().distinct()).hasSize(2);
    }

    @Test
    void databaseIsThereUntilAllOtherExtensionsHaveEnded() {
        TestRun.succeeds(InAnApplication.class, 1);

        assertThat(SEEN).hasSize(2);
        assertThat(SEEN.stream().distinct()).hasSize(1);
        assertThat(databases()).doesNotContainAnyElementsOf(SEEN);
    }

    @Test
    void junitHasNothingToWarnOf() {
        List<String> warnings = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord logged) {
                if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                    warnings.add(logged.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger junit = Logger.getLogger("org.junit");
        junit.addHandler(handler);
        try {
            TestRun.succeeds(OwnOnes.class, 2);
        } finally {
            junit.removeHandler(handler);
        }

        assertThat(warnings).isEmpty();
    }

    @Test
    void eventsAreKeptWhereThatIsWanted() {
        TestRun.succeeds(Keeping.class, 2);

        assertThat(SEEN).containsExactly("1", "2");
    }

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
        assertThat(databases()).doesNotContainAnyElementsOf(SEEN);
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
        assertThat(databases()).doesNotContainAnyElementsOf(SEEN);
    }

    private static List<String> databases() {
        return dsl(PostgresServer.shared().dataSource())
                .fetch("select datname from pg_database")
                .getValues(0, String.class);
    }

    private static DSLContext dsl(DataSource dataSource) {
        return DSL.using(dataSource, SQLDialect.POSTGRES);
    }

    private static void seeAndWrite(OutboxDatabaseExtension database) {
        see(database.dataSource());
        assertThat(database.outbox().events()).isEmpty();
        write(database.dataSource());
    }

    private static void see(DataSource dataSource) {
        SEEN.add(dsl(dataSource).fetchSingle("select current_database()").get(0, String.class));
    }

    private static void write(DataSource dataSource) {
        NewEvent event = NewEvent.of("order", "1", "order.created", 1);
        dsl(dataSource).transaction((Configuration tx) -> Outbox.create().publish(tx, event));
    }

    static class Sharing {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            seeAndWrite(DATABASE);
        }

        @Nested
        class Inner {
            @Test
            void other() {
                seeAndWrite(DATABASE);
            }

            @Test
            void another() {
                seeAndWrite(DATABASE);
            }
        }

        @AfterAll
        static void isStillThere() {
            assertThat(DATABASE.outbox().events()).hasSize(1);
        }
    }

    static class OwnOnes {
        @RegisterExtension
        final OutboxDatabaseExtension database = OutboxDatabaseExtension.create();

        @Test
        void one() {
            seeAndWrite(database);
        }

        @Test
        void other() {
            seeAndWrite(database);
        }
    }

    abstract static class Heir {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            seeAndWrite(DATABASE);
        }
    }

    static class FirstHeir extends Heir {}

    static class SecondHeir extends Heir {}

    @ExtendWith(Application.class)
    static class InAnApplication {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.create();

        @Test
        void one() {
            see(DATABASE.dataSource());
        }
    }

    /** Begins before the database is registered, and ends after it, as Spring's extension does. */
    static class Application implements AfterAllCallback {
        @Override
        public void afterAll(ExtensionContext context) {
            see(InAnApplication.DATABASE.dataSource());
        }
    }

    static class Keeping {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE =
                OutboxDatabaseExtension.builder().keepingEvents().build();

        @Test
        void one() {
            writeAndCount();
        }

        @Test
        void other() {
            writeAndCount();
        }

        private static void writeAndCount() {
            write(DATABASE.dataSource());
            SEEN.add("" + DATABASE.outbox().events().size());
        }
    }

    static class WithFlyway {
        @RegisterExtension
        static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
                .setUp(dataSource ->
                        Flyway.configure().dataSource(dataSource).load().migrate())
                .setUp(dataSource -> dsl(dataSource).execute("insert into orders values ('1', 2)"))
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
