package dev.typedoutbox.db.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.TestDatabase;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The file with the roles runs wherever the migrations do. What the roles can do is tested where it is done. */
class RolesFileTest {
    private final TestDatabase database = new TestDatabase();

    @Test
    void runsAgainInTheSameSchemaAndInOthers() {
        OutboxSchema.migrate(database.dataSource());
        OutboxSchema.migrate(database.dataSource(), "Order Outbox");

        TestDatabase.runRolesFile(database.dataSource(), "Order Outbox");
        String rights = rightsIn("Order Outbox");
        assertThat(rights).isNotEqualTo("0");
        assertThat(rightsIn("public")).isEqualTo("0");

        TestDatabase.runRolesFile(database.dataSource(), "Order Outbox");
        assertThat(rightsIn("Order Outbox")).isEqualTo(rights);
        TestDatabase.runRolesFile(database.dataSource(), "public");
        assertThat(rightsIn("public")).isEqualTo(rights);
    }

    @Test
    void ownerNeedNotBeASuperuser() {
        DataSource owner = database.asOwner();
        OutboxSchema.migrate(owner, "shop");

        TestDatabase.runRolesFile(owner, "shop");

        assertThat(rightsIn("shop")).isNotEqualTo("0");
        assertThat(database.value("select has_schema_privilege('outbox_writer', 'shop', 'usage')"))
                .isEqualTo("true");
    }

    private String rightsIn(String schema) {
        return database.value("select count(*) from information_schema.column_privileges where table_schema = '"
                + schema + "' and grantee in ('outbox_writer', 'outbox_relay', 'outbox_consumer', 'outbox_admin')");
    }
}
