package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LoggingTest {
    private final LoggerContext context = new LoggerContext();

    @Test
    void textOfOthersStaysInItsLineAndIsNotObeyed() {
        LoggingEvent event =
                new LoggingEvent("caller", context.getLogger("a.logger"), Level.WARN, "one\nline", null, null);
        event.setKeyValuePairs(List.of(
                new KeyValuePair("event_type", "order\r\n2026-01-01 INFO forged\u001b[2J"), new KeyValuePair("n", 1)));
        event.setMDCPropertyMap(Map.of());

        assertThat(encoded(event))
                .endsWith(" WARN  one line event_type=\"order 2026-01-01 INFO forged?[2J\" n=\"1\"\n");
    }

    private String encoded(LoggingEvent event) {
        PatternLayoutEncoder encoder = Logging.text();
        encoder.setContext(context);
        encoder.start();
        return new String(encoder.encode(event), StandardCharsets.UTF_8);
    }
}
