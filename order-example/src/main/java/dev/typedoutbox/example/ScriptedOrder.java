package dev.typedoutbox.example;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** One line of the file: an order as the API takes it, and what happens to it. */
record ScriptedOrder(String body, List<String> happens) {
    private static final String FILE = "orders.jsonl";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    static List<ScriptedOrder> readFirst(int number) {
        InputStream file = Objects.requireNonNull(ScriptedOrder.class.getResourceAsStream(FILE), FILE);
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
            return lines.lines().limit(number).map(ScriptedOrder::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ScriptedOrder parse(String line) {
        try {
            JsonNode script = MAPPER.readTree(line);
            List<String> happens =
                    script.path("happens").valueStream().map(JsonNode::asText).toList();
            return new ScriptedOrder(script.path("order").toString(), happens);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
