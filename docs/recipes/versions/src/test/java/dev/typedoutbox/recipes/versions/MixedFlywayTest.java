package dev.typedoutbox.recipes.versions;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.OutboxSchemaException;
import dev.typedoutbox.servers.PostgresServer;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class MixedFlywayTest {
    @Test
    void partsOfDifferentVersionsAreNamed() {
        DataSource dataSource =
                PostgresServer.shared().createDatabase("versions").dataSource();

        assertThatThrownBy(() -> OutboxSchema.migrate(dataSource))
                .isInstanceOf(OutboxSchemaException.class)
                .hasMessage("flyway-core and flyway-database-postgresql must be of one version (were "
                        + System.getProperty("recipe.core") + " and " + System.getProperty("recipe.postgresql") + ")");
    }
}
