package dev.typedoutbox.db.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.db.TestDatabase;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;

/** An application that has migrations of its own, with Flyway's defaults, in the same schema. */
class ApplicationMigrationsTest {
    private final TestDatabase database = new TestDatabase();

    @Test
    void historyOfTheApplicationIsUntouched() {
        application("classpath:application").migrate();
        String before = checksumOfItsHistory();

        OutboxSchema.migrate(database.dataSource());

        assertThat(checksumOfItsHistory()).isEqualTo(before);
    }

    @Test
    void applicationMayMigrateAfterUsAndLate() {
        application("classpath:application").migrate();
        OutboxSchema.migrate(database.dataSource());

        application("classpath:application", "classpath:application-late").migrate();
        OutboxSchema.migrate(database.dataSource());

        OutboxSchema.validate(database.dataSource());
        assertThat(database.column("select version from flyway_schema_history order by installed_rank"))
                .containsExactly("1", "2", "1.5");
    }

    @Test
    void ourTablesMayBeThereBeforeTheApplications() {
        OutboxSchema.migrate(database.dataSource(), "outbox");

        application("classpath:application").migrate();

        assertThat(database.column("select version from flyway_schema_history order by installed_rank"))
                .containsExactly("1", "2");
    }

    @Test
    void applicationIsRefusedByItsOwnFlywayWhereOurTablesAreAlone() {
        OutboxSchema.migrate(database.dataSource());

        assertThatThrownBy(() -> application("classpath:application").migrate())
                .isInstanceOf(FlywayException.class)
                .hasMessageContaining("non-empty schema");
    }

    private Flyway application(String... locations) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .locations(locations)
                .outOfOrder(true)
                .load();
    }

    private String checksumOfItsHistory() {
        return database.value(
                "select md5(string_agg(h::text, '|' order by installed_rank))" + " from flyway_schema_history h");
    }
}
