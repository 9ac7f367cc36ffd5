package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.List;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** The name of a schema may hold what means something in SQL, in JDBC and in jOOQ's templates. */
class OddSchemaNameTest {
    private static final String SCHEMA = "o {0} {x} ? :b \"q\" 's' -- /* \\";

    private static final List<String> TYPES = List.of("order.created", "order.paid", "order.shipped");

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @Test
    void eventsOfASchemaWithAnOddNameArePublished() {
        allArePublished(quick());
    }

    @Test
    void backslashesOfNamesAreNothingElseWhereTheDatabaseTakesThemForEscapes() {
        String name = database.value("select current_database()");
        database.execute("alter database " + name + " set standard_conforming_strings = off");
        allArePublished(quick().name("\\'"));
    }

    private void allArePublished(RelayConfigBuilder relayConfig) {
        OutboxSchema.migrate(database.dataSource(), SCHEMA);
        Outbox outbox = Outbox.builder().schema(SCHEMA).build();
        RelayConfigBuilder config = relayConfig.schema(SCHEMA).listenOn(database.dataSource());
        try (Relay relay = Relay.create(database.dataSource(), publisher, config.build())) {
            relay.start();
            for (String type : TYPES) {
                DSL.using(database.dataSource(), SQLDialect.POSTGRES)
                        .transaction((Configuration tx) -> outbox.publish(tx, NewEvent.of("order", "1", type, "x")));
            }
            eventually(() -> publisher.sent().size() == TYPES.size() && relay.pendingCount() == 0);
        }
        assertThat(publisher.sent()).extracting(OutboxEvent::eventType).isEqualTo(TYPES);
    }
}
