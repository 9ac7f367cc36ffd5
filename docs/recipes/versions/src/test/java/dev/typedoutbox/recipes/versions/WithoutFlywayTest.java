package dev.typedoutbox.recipes.versions;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.OutboxSchemaException;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.outbox.SteppableRelay;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class WithoutFlywayTest {
    private final DataSource dataSource =
            PostgresServer.shared().createDatabase("versions").dataSource();

    @Test
    void migrationAsksForFlyway() {
        assertThatThrownBy(() -> OutboxSchema.migrate(dataSource))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage(
                        "OutboxSchema.migrate needs Flyway: add org.flywaydb:flyway-database-postgresql to the class"
                                + " path, or run the SQL files in dev/typedoutbox/db/migration by other means");
    }

    @Test
    void eventIsPublishedFromTablesThatWereMadeByOtherMeans() throws Exception {
        InMemoryPublisher broker = new InMemoryPublisher();
        runFile(OutboxSchema.MIGRATIONS + "/V1__outbox.sql");

        OutboxSchema.validate(dataSource);
        try (Connection tx = dataSource.getConnection()) {
            tx.setAutoCommit(false);
            Outbox.create().publish(tx, NewEvent.of("order", "4711", "order.placed", "x"));
            tx.commit();
        }
        SteppableRelay.create(dataSource, broker).publishDue();

        assertThatEvents(broker.published()).hasExactlyTypes("order.placed");
    }

    private void runFile(String name) throws IOException, SQLException {
        try (InputStream file = OutboxSchema.class.getClassLoader().getResourceAsStream(name);
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
