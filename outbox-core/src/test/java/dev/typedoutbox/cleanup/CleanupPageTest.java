package dev.typedoutbox.cleanup;

import static dev.typedoutbox.relay.RelayFixture.eventually;

import dev.typedoutbox.support.OutboxDatabase;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The code of docs/cleanup.md. */
class CleanupPageTest {
    @Test
    void recordsOlderThanThePageSaysAreDeletedAtOnce() {
        OutboxDatabase database = OutboxDatabase.create();
        DataSource dataSource = database.dataSource();
        database.execute(
                "insert into processed_events select 'shipping', gen_random_uuid(), now() - days * interval '1 day'"
                        + " from generate_series(1, 20) days");

        Cleanup cleanup = Cleanup.builder(dataSource)
                .publishedEvents(Duration.ofDays(7)) // the default
                .processedEvents(Duration.ofDays(14)) // the default
                .build();
        cleanup.start(); // at once, and then every hour

        eventually(() -> database.value("select count(*) from processed_events").equals("13"));
        cleanup.close();
    }
}
