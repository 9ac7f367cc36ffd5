package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxy;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLinesTest {
    private final LoggingEvent event = new LoggingEvent(
            "caller",
            new LoggerContext().getLogger("a.logger"),
            Level.WARN,
            "said \"{}\"\nand more",
            null,
            new Object[] {"this"});

    @Test
    void lineIsOneObjectWhoseKeysAreTheLinesOwn() throws IOException {
        event.setKeyValuePairs(Arrays.asList(
                new KeyValuePair("attempt", 3),
                new KeyValuePair("usage", 0.5),
                new KeyValuePair("took", Duration.ofSeconds(2)),
                new KeyValuePair("reason", null),
                new KeyValuePair("level", "not this")));
        event.setMDCPropertyMap(Map.of("event_id", "one"));

        JsonNode line = encoded();

        assertThat(line.path("message").asText()).isEqualTo("said \"this\"\nand more");
        assertThat(line.path("level").asText()).isEqualTo("WARN");
        assertThat(line.path("logger").asText()).isEqualTo("a.logger");
        assertThat(line.path("attempt").isInt()).isTrue();
        assertThat(line.path("usage").asDouble()).isEqualTo(0.5);
        assertThat(line.path("took").asText()).isEqualTo("PT2S");
        assertThat(line.path("reason").asText()).isEmpty();
        assertThat(line.path("event_id").asText()).isEqualTo("one");
    }

    @Test
    void errorStandsInTheLine() throws IOException {
        event.setMDCPropertyMap(Map.of());
        event.setThrowableProxy(new ThrowableProxy(new IllegalStateException("broken")));

        assertThat(encoded().path("error").asText()).contains("IllegalStateException: broken", "at dev.typedoutbox");
    }

    private JsonNode encoded() throws IOException {
        String line = new String(new JsonLines().encode(event), StandardCharsets.UTF_8);
        assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
        return new ObjectMapper().readTree(line);
    }
}
