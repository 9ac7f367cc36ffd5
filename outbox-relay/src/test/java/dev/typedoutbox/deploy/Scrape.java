package dev.typedoutbox.deploy;

import static org.awaitility.Awaitility.await;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.metrics.ConsumerMetrics;
import dev.typedoutbox.metrics.RelayMetrics;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/** What Prometheus reads of a process with a relay and a consumer, which have had an event each. */
final class Scrape {
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-zA-Z_:][\\w:]*)(?:\\{(.*)})? .*$");

    private final List<Sample> samples;

    /** A line; the labels as they stand there. */
    private record Sample(String metric, String labels) {}

    private Scrape(String text) {
        this.samples = SAMPLE.matcher(text)
                .results()
                .map(line -> new Sample(line.group(1), line.group(2) == null ? "" : line.group(2)))
                .toList();
    }

    static Scrape ofRelayAndConsumer() throws SQLException {
        DataSource database = PostgresServer.shared().createDatabase("scrape").dataSource();
        OutboxSchema.migrate(database);
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        RelayConfig config = RelayConfig.builder()
                .observer(RelayMetrics.of(registry, database))
                .build();
        InMemoryPublisher broker = new InMemoryPublisher();
        try (Relay relay = Relay.create(database, broker, config)) {
            relay.start();
            publish(database);
            await().until(() ->
                    registry.get("outbox.events.published").counter().count() == 1);
            consume(registry, broker.sent().get(0));
            return new Scrape(registry.scrape());
        }
    }

    private static void publish(DataSource database) throws SQLException {
        try (Connection tx = database.getConnection()) {
            tx.setAutoCommit(false);
            Outbox.create().publish(tx, NewEvent.of("order", "4711", "order.placed", "x"));
            tx.commit();
        }
    }

    private static void consume(PrometheusMeterRegistry registry, OutboxEvent event) {
        ConsumerMetrics.of(registry, "shipping").observe(it -> Applied.APPLIED).apply(event);
    }

    Set<String> metrics() {
        return samples.stream().map(Sample::metric).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether a sample of the metric has the label, as name="value"; a name without a value is enough. */
    boolean hasLabel(String metric, String label) {
        return samples.stream()
                .anyMatch(sample -> sample.metric().equals(metric) && ("," + sample.labels()).contains("," + label));
    }

    /** The upper bounds of a histogram's buckets. */
    List<Double> bounds(String histogram) {
        Pattern bound = Pattern.compile("le=\"([0-9.]+)\"");
        return samples.stream()
                .filter(sample -> sample.metric().equals(histogram + "_bucket"))
                .flatMap(sample -> bound.matcher(sample.labels()).results())
                .map(match -> Double.valueOf(match.group(1)))
                .toList();
    }
}
