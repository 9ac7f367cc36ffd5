package dev.typedoutbox.recipes.versions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** The tables are made, an event is written and published, with the versions that the application has. */
class OwnVersionsTest {
    private static final NewEvent EVENT = NewEvent.of("order", "4711", "order.placed", "x");

    private final DataSource dataSource =
            PostgresServer.shared().createDatabase("versions").dataSource();
    private final DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);

    @Test
    void classPathHasTheVersionsThatAreMeant() throws ClassNotFoundException {
        assertThat(jarOf("org.flywaydb.core.Flyway")).contains("flyway-core-" + System.getProperty("recipe.flyway"));
        assertThat(jarOf("org.jooq.DSLContext")).contains("jooq-" + System.getProperty("recipe.jooq"));
    }

    private static String jarOf(String name) throws ClassNotFoundException {
        return Class.forName(name)
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString();
    }

    @Test
    void eventIsPublished() throws InterruptedException {
        InMemoryPublisher broker = new InMemoryPublisher();
        OutboxSchema.migrate(dataSource);

        dsl.transaction(tx -> Outbox.create().publish(tx, EVENT));
        Relay.create(dataSource, broker).runOnce();

        assertThat(broker.sent()).hasSize(1);
    }

    @Test
    void tablesAreMadeBesideOthersAndTheSecondMigrationChangesNothing() {
        dsl.execute("create table orders (id text primary key)");

        OutboxSchema.migrate(dataSource);
        List<String> history = history();
        OutboxSchema.migrate(dataSource);

        OutboxSchema.validate(dataSource);
        assertThat(history).hasSizeGreaterThan(1).startsWith("0 BASELINE", "1 SQL");
        assertThat(history()).isEqualTo(history);
    }

    private List<String> history() {
        return dsl.fetch("select version || ' ' || type from outbox_schema_history order by installed_rank")
                .getValues(0, String.class);
    }
}
