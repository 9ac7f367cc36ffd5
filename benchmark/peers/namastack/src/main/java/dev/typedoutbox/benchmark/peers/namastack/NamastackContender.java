package dev.typedoutbox.benchmark.peers.namastack;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Contender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Event;
import dev.typedoutbox.benchmark.contender.Settings;
import dev.typedoutbox.benchmark.contender.StatementCounter;
import dev.typedoutbox.benchmark.peers.publisher.ConfirmedPublisher;
import io.namastack.outbox.Outbox;
import io.namastack.outbox.OutboxPayloadSerializer;
import io.namastack.outbox.OutboxProcessingScheduler;
import io.namastack.outbox.partition.PartitionCoordinator;
import io.namastack.outbox.partition.PartitionHasher;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** namastack-outbox on Spring Boot, with its JDBC starter; keeps the order of each key. */
public final class NamastackContender implements Contender {
    private static final int CONNECTIONS_FOR_OTHERS = 10;

    private final Settings settings;
    private @Nullable ConfigurableApplicationContext context;
    private @Nullable ConfirmedPublisher publisher;

    private NamastackContender(Settings settings) {
        this.settings = settings;
    }

    /**
     * Runs the contender.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(NamastackContender::new);
    }

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {
        @Bean
        StatementCounter statements() {
            return new StatementCounter();
        }

        @Bean
        @ConditionalOnProperty("contender.statements")
        static BeanPostProcessor countingOfStatements(ObjectProvider<StatementCounter> statements) {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessAfterInitialization(Object bean, String name) {
                    return bean instanceof DataSource dataSource
                            ? statements.getObject().count(dataSource)
                            : bean;
                }
            };
        }

        @Bean
        OrderPlacedHandler orderPlacedHandler() {
            return new OrderPlacedHandler();
        }
    }

    private Map<String, Object> properties() {
        int threads = settings.number("threads", 16);
        return Map.ofEntries(
                Map.entry("contender.statements", settings.flag("statements", false)),
                Map.entry("spring.datasource.url", settings.jdbcUrl()),
                Map.entry("spring.datasource.username", settings.jdbcUser()),
                Map.entry("spring.datasource.password", settings.jdbcPassword()),
                Map.entry("spring.datasource.hikari.maximum-pool-size", threads + CONNECTIONS_FOR_OTHERS),
                Map.entry("namastack.outbox.jdbc.schema-initialization.enabled", true),
                Map.entry("namastack.outbox.polling.trigger", "fixed"),
                Map.entry("namastack.outbox.polling.fixed.interval", settings.number("poll", 10) + "ms"),
                Map.entry("namastack.outbox.polling.batch-size", settings.number("batch", 5_000)),
                Map.entry("namastack.outbox.processing.executor-core-pool-size", threads),
                Map.entry("namastack.outbox.processing.executor-max-pool-size", threads),
                Map.entry("namastack.outbox.processing.delete-completed-records", settings.flag("delete", true)));
    }

    @Override
    public void prepare() throws InterruptedException {
        ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(properties())
                .run();
        context = application;
        PartitionCoordinator coordinator = application.getBean(PartitionCoordinator.class);
        while (coordinator.getAssignedPartitionNumbers().size() < PartitionHasher.TOTAL_PARTITIONS) {
            Thread.sleep(50);
        }
        scheduler().stop();
    }

    private <T> T bean(Class<T> type) {
        ConfigurableApplicationContext application = context;
        if (application == null) {
            throw new IllegalStateException("contender must be prepared");
        }
        return application.getBean(type);
    }

    private OutboxProcessingScheduler scheduler() {
        return bean(OutboxProcessingScheduler.class);
    }

    @Override
    public void fill(Backlog backlog) {
        JdbcTemplate jdbc = bean(JdbcTemplate.class);
        jdbc.execute("truncate outbox_record");
        write(List.of(backlog.event(0)));
        new BacklogWriter(jdbc, bean(OutboxPayloadSerializer.class)).write(backlog);
    }

    @Override
    public void start() throws Exception {
        bean(StatementCounter.class).reset();
        publisher = ConfirmedPublisher.connect(settings.amqpUri(), settings.exchange());
        bean(OrderPlacedHandler.class).use(publisher);
        scheduler().start();
    }

    @Override
    public void stop() throws Exception {
        scheduler().stop();
        ConfirmedPublisher connected = publisher;
        if (connected != null) {
            connected.close();
        }
    }

    @Override
    public void write(List<Event> events) {
        Outbox outbox = bean(Outbox.class);
        bean(TransactionTemplate.class)
                .executeWithoutResult(transaction -> events.forEach(
                        event -> outbox.schedule(new OrderPlaced(event.type(), event.payload()), event.aggregateId())));
    }

    @Override
    public Map<String, String> stats() {
        return settings.flag("statements", false)
                ? Map.of(
                        "statements", Long.toString(bean(StatementCounter.class).count()))
                : Map.of();
    }

    @Override
    public void close() {
        ConfigurableApplicationContext application = context;
        if (application != null) {
            application.close();
        }
    }
}
