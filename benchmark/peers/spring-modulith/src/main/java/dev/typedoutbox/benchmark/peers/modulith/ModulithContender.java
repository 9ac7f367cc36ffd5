package dev.typedoutbox.benchmark.peers.modulith;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Contender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Event;
import dev.typedoutbox.benchmark.contender.Settings;
import dev.typedoutbox.benchmark.contender.StatementCounter;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.core.RabbitMessagingTemplate;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
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
import org.springframework.modulith.events.EventExternalizationConfiguration;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.modulith.events.RoutingTarget;
import org.springframework.modulith.events.core.EventSerializer;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Spring Modulith on Spring Boot, with its registry in JDBC and its externalization to AMQP: a backlog is resubmitted as the
 * documentation has it; what is written while the relay runs, goes to the workers after the commit.
 */
public final class ModulithContender implements Contender {
    private static final int CONNECTIONS_FOR_OTHERS = 10;

    private final Settings settings;
    private @Nullable ConfigurableApplicationContext context;
    private @Nullable Thread resubmission;

    private ModulithContender(Settings settings) {
        this.settings = settings;
    }

    /**
     * Runs the contender.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(ModulithContender::new);
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
        EventExternalizationConfiguration externalization(@Value("${contender.exchange}") String exchange) {
            return EventExternalizationConfiguration.externalizing()
                    .select(OrderPlaced.class::isInstance)
                    .mapping(OrderPlaced.class, OrderPlaced::payload)
                    .route(
                            OrderPlaced.class,
                            event -> RoutingTarget.forTarget(exchange).andKey(event.type()))
                    .build();
        }

        @Bean
        RabbitMessagingTemplate messagingTemplate(RabbitTemplate rabbitTemplate) {
            return new ConfirmedMessagingTemplate(rabbitTemplate);
        }

        @Bean
        Workers workers(@Value("${contender.threads}") int threads) {
            return new Workers(threads);
        }
    }

    private Map<String, Object> properties() {
        int threads = settings.number("threads", 32);
        ConnectionFactory broker = broker();
        return Map.ofEntries(
                Map.entry("contender.statements", settings.flag("statements", false)),
                Map.entry("contender.exchange", settings.exchange()),
                Map.entry("contender.threads", threads),
                Map.entry("spring.datasource.url", settings.jdbcUrl()),
                Map.entry("spring.datasource.username", settings.jdbcUser()),
                Map.entry("spring.datasource.password", settings.jdbcPassword()),
                Map.entry("spring.datasource.hikari.maximum-pool-size", threads + CONNECTIONS_FOR_OTHERS),
                Map.entry("spring.rabbitmq.host", broker.getHost()),
                Map.entry("spring.rabbitmq.port", broker.getPort()),
                Map.entry("spring.rabbitmq.virtual-host", broker.getVirtualHost()),
                Map.entry("spring.rabbitmq.username", broker.getUsername()),
                Map.entry("spring.rabbitmq.password", broker.getPassword()),
                Map.entry("spring.rabbitmq.publisher-confirm-type", "simple"),
                Map.entry("spring.rabbitmq.cache.channel.size", threads),
                // The payload is JSON already, and must not become a JSON string.
                Map.entry("spring.modulith.events.rabbitmq.enable-json", false),
                Map.entry("spring.modulith.events.jdbc.schema-initialization.enabled", true),
                Map.entry(
                        "spring.modulith.events.completion-mode",
                        settings.options().getOrDefault("completion", "delete")));
    }

    /** Spring Boot would take the virtual host as it is written, and not decode it. */
    private ConnectionFactory broker() {
        ConnectionFactory broker = new ConnectionFactory();
        try {
            broker.setUri(settings.amqpUri());
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalArgumentException("amqpUri must be a URI of AMQP", e);
        }
        return broker;
    }

    @Override
    public void prepare() {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .logStartupInfo(false)
                .properties(properties())
                .run();
    }

    private ConfigurableApplicationContext context() {
        ConfigurableApplicationContext application = context;
        if (application == null) {
            throw new IllegalStateException("contender must be prepared");
        }
        return application;
    }

    private <T> T bean(Class<T> type) {
        return context().getBean(type);
    }

    @Override
    public void fill(Backlog backlog) {
        JdbcTemplate jdbc = bean(JdbcTemplate.class);
        jdbc.execute("truncate event_publication");
        write(List.of(backlog.event(0)));
        new BacklogWriter(jdbc, bean(EventSerializer.class)).write(backlog);
    }

    @Override
    public void start() {
        bean(StatementCounter.class).reset();
        bean(Workers.class).start();
        IncompleteEventPublications incomplete = bean(IncompleteEventPublications.class);
        resubmission = new Thread(() -> incomplete.resubmitIncompletePublications(publication -> true), "resubmission");
        resubmission.start();
    }

    @Override
    public void stop() throws InterruptedException {
        bean(Workers.class).stop();
        Thread thread = resubmission;
        if (thread != null) {
            thread.join();
        }
    }

    @Override
    public void write(List<Event> events) {
        ConfigurableApplicationContext application = context();
        bean(TransactionTemplate.class)
                .executeWithoutResult(transaction -> events.forEach(event ->
                        application.publishEvent(new OrderPlaced(event.number(), event.type(), event.payload()))));
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
