package dev.typedoutbox.standalone;

import com.fasterxml.jackson.databind.JsonNode;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Dead letters for people and for programs. */
final class DeadLetterText {
    private static final int LONGEST_ERROR = 100;
    private static final List<String> HEADINGS = List.of("SEQ", "ID", "DIED", "TYPE", "AGGREGATE", "ATTEMPTS", "ERROR");

    private DeadLetterText() {}

    static String table(List<DeadLetter> letters) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        letters.forEach(letter -> rows.add(row(letter)));
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                line.append(padded(row.get(column), width(rows, column))).append("  ");
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private static List<String> row(DeadLetter letter) {
        return List.of(
                Long.toString(letter.seq()),
                letter.id().toString(),
                letter.deadAt().truncatedTo(ChronoUnit.SECONDS).toString(),
                Printable.of(letter.eventType()),
                Printable.of(letter.aggregateType() + " " + letter.aggregateId()),
                Integer.toString(letter.attempts()),
                Printable.of(Optional.ofNullable(letter.lastError()).orElse(""), LONGEST_ERROR));
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    static Map<String, @Nullable Object> fields(DeadLetter letter) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", letter.id().toString());
        fields.put("seq", letter.seq());
        fields.put("event_type", letter.eventType());
        fields.put("aggregate_type", letter.aggregateType());
        fields.put("aggregate_id", letter.aggregateId());
        fields.put("attempts", letter.attempts());
        fields.put("created_at", letter.createdAt().toString());
        fields.put("dead_at", letter.deadAt().toString());
        fields.put("last_error", letter.lastError());
        fields.put("bytes", letter.bytes());
        return fields;
    }

    /** With its headers and its payload, as JSON. */
    static Map<String, @Nullable Object> fields(DeadLetter letter, OutboxEvent event) {
        Map<String, @Nullable Object> fields = fields(letter);
        JsonNode payload = event.payloadAsTree();
        fields.put("headers", event.headers());
        fields.put("payload", payload);
        return fields;
    }

    static String lines(Map<String, @Nullable Object> fields) {
        StringBuilder text = new StringBuilder();
        fields.forEach((name, value) -> {
            String shown = value == null ? "" : Printable.of(String.valueOf(value));
            text.append(String.format("%-16s%s", name.replace('_', ' '), shown).stripTrailing())
                    .append(System.lineSeparator());
        });
        return text.toString();
    }
}
