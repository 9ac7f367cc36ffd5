package dev.typedoutbox.standalone;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.metrics.RelayMetrics;
import dev.typedoutbox.relay.RelayObserver;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import javax.sql.DataSource;

/** The metrics of the process, as Prometheus reads them. */
final class Metrics implements AutoCloseable {
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();
    private final RelayMetrics relay;

    private Metrics(DataSource dataSource, String schema) {
        this.relay = RelayMetrics.of(registry, dataSource, schema);
    }

    static Metrics of(DataSource dataSource, String schema, HikariDataSource pool) {
        Metrics metrics = new Metrics(dataSource, schema);
        metrics.bindJvm();
        pool.setMetricRegistry(metrics.registry);
        return metrics;
    }

    private void bindJvm() {
        garbage.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ClassLoaderMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
    }

    RelayObserver observer() {
        return relay;
    }

    String text() {
        return registry.scrape();
    }

    @Override
    public void close() {
        garbage.close();
        registry.close();
    }
}
