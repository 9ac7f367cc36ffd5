package dev.typedoutbox.rabbit.docs;

import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.metrics.ConsumerMetrics;
import dev.typedoutbox.metrics.RelayMetrics;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The code of docs/metrics.md. */
class MetricsTest {

    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");
    private final String deadLetterExchange = broker.exchange();
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void relayAndConsumerAreMeasured() {
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.write(10, 10, "order.paid");
            measure(database.dataSource(), database.direct("unpooled"), broker.factory());
        }
    }

    private void measure(DataSource dataSource, DataSource unpooled, ConnectionFactory rabbit) {
        EventConsumer shipping = IdempotentConsumer.create(dataSource, "shipping", (tx, event) -> {});
        RelayConfig config = RelayConfig.builder()
                .listenOn(unpooled)
                .observer(RelayMetrics.of(registry, dataSource))
                .build();

        ConsumerMetrics metrics = ConsumerMetrics.of(registry, "shipping");
        RabbitConsumer consumer = RabbitConsumer.builder(rabbit, queue, metrics.observe(shipping))
                .deadLetterExchange(deadLetterExchange)
                .onDeadLetter(message -> metrics.deadLettered())
                .build();
        try (RabbitPublisher publisher = RabbitPublisher.create(rabbit, Routing.toExchange(exchange));
                Relay relay = Relay.create(dataSource, publisher, config);
                consumer) {
            relay.start();
            consumer.start();
            await().until(() -> count("outbox.events.published") == 10);
            await().until(() -> count("outbox.consumer.applied") == 10);
        }
    }

    private double count(String name) {
        return registry.get(name).counter().count();
    }
}
