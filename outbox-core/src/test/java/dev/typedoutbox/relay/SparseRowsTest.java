package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows as other programs write them, which leave empty whatever may be empty. */
class SparseRowsTest {
    /** Every column that may be null, and what else a row that is to be sent may hold there; nothing in the last two. */
    private static final Map<String, List<String>> NULLABLE = new LinkedHashMap<>(Map.of(
            "headers", List.of("null", "'{}'", "'{\"name\": null}'"),
            "retry_after", List.of("null", "now()"),
            "last_error", List.of("null", "''", "'earlier'"),
            "processed_at", List.of("null"),
            "dead_at", List.of("null")));

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    @Test
    void rowsWithAnyColumnLeftEmptyAreSentAmongTheOthers() {
        assertThat(database.column("select column_name from information_schema.columns"
                        + " where table_schema = 'public' and table_name = 'outbox_events' and is_nullable = 'YES'"))
                .hasSameElementsAs(NULLABLE.keySet());
        List<String> rows = combinations(List.of(""), List.copyOf(NULLABLE.values()));
        for (String row : rows) {
            database.insertEvents(1, 1);
            database.execute("insert into outbox_events (aggregate_type, aggregate_id, event_type, payload, "
                    + String.join(", ", NULLABLE.keySet()) + ") values ('order', 'sparse', 'e', 'null'" + row + ")");
        }

        drain(database, publisher, quick());

        assertThat(publisher.sent()).hasSize(2 * rows.size());
        assertThat(publisher.sent())
                .filteredOn(event -> event.aggregateId().equals("sparse"))
                .hasSize(18)
                .allMatch(event -> event.headers().isEmpty())
                .extracting(OutboxEvent::payloadAsText)
                .containsOnly("null");
    }

    private static List<String> combinations(List<String> beginnings, List<List<String>> columns) {
        if (columns.isEmpty()) {
            return beginnings;
        }
        List<String> longer = new ArrayList<>();
        for (String beginning : beginnings) {
            columns.get(0).forEach(value -> longer.add(beginning + ", " + value));
        }
        return combinations(longer, columns.subList(1, columns.size()));
    }
}
