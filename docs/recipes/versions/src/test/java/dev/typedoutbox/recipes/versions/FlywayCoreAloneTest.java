package dev.typedoutbox.recipes.versions;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.OutboxSchemaException;
import dev.typedoutbox.servers.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class FlywayCoreAloneTest {
    @Test
    void missingPartOfFlywayIsNamed() {
        DataSource dataSource =
                PostgresServer.shared().createDatabase("versions").dataSource();

        assertThatThrownBy(() -> OutboxSchema.migrate(dataSource))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessageMatching("OutboxSchema.migrate needs org.flywaydb:flyway-database-postgresql beside"
                        + " flyway-core [0-9.]+ \\(was missing\\): add it to the class path, in the same version, or run"
                        + " the SQL files in dev/typedoutbox/db/migration by other means");
    }
}
