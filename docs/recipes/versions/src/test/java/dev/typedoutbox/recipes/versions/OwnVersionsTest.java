package dev.typedoutbox.recipes.versions;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import dev.typedoutbox.testkit.outbox.SteppableRelay;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The tables are made, an event is written and published, with the versions that the application has. */
class OwnVersionsTest {
    private static final NewEvent EVENT = NewEvent.of("order", "4711", "order.placed", "x");

    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
            .setUp(dataSource ->
                    DSL.using(dataSource, SQLDialect.POSTGRES).execute("create table orders (id text primary key)"))
            .build();

    private final DSLContext dsl = DSL.using(DATABASE.dataSource(), SQLDialect.POSTGRES);

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
    void eventIsPublished() {
        InMemoryPublisher broker = new InMemoryPublisher();

        dsl.transaction(tx -> Outbox.create().publish(tx, EVENT));
        SteppableRelay.create(DATABASE.dataSource(), broker).publishDue();

        assertThatEvents(broker.published()).hasExactlyTypes("order.placed");
    }

    @Test
    void tablesAreMadeBesideOthersAndTheSecondMigrationChangesNothing() {
        List<String> history = history();

        OutboxSchema.migrate(DATABASE.dataSource());

        OutboxSchema.validate(DATABASE.dataSource());
        assertThat(history).hasSizeGreaterThan(1).startsWith("0 BASELINE", "1 SQL");
        assertThat(history()).isEqualTo(history);
    }

    private List<String> history() {
        return dsl.fetch("select version || ' ' || type from outbox_schema_history order by installed_rank")
                .getValues(0, String.class);
    }
}
