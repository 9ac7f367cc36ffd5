package dev.typedoutbox.metrics;

import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/metrics.md lists the metrics that there are, and no others. */
class MetricsPageTest {
    private static final Path PAGE = Path.of("../docs/metrics.md");
    private static final Pattern ROW = Pattern.compile("^\\| `(outbox_\\w+)`", Pattern.MULTILINE);

    private final OutboxDatabase database = OutboxDatabase.create();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void pageAndScrapeHaveTheSameNames() throws IOException {
        ConsumerMetrics.of(registry, "shipping");
        RelayMetrics metrics = RelayMetrics.of(registry, database.dataSource());
        try (Relay relay = Relay.create(
                database.dataSource(),
                new InMemoryPublisher(),
                quick().observer(metrics).build())) {
            relay.start();
            assertThat(scraped()).isEqualTo(documented());
        }
    }

    /** A histogram is several series. */
    private Set<String> scraped() {
        return Scrape.of(registry).names().stream()
                .map(name -> name.replaceFirst("_seconds_(bucket|count|sum|max)$", "_seconds"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> documented() throws IOException {
        return ROW.matcher(Files.readString(PAGE))
                .results()
                .map(MatchResult::group)
                .map(row -> row.substring("| `".length(), row.length() - 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
