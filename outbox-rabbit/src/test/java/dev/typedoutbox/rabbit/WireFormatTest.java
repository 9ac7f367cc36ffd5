package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Pins docs/wire-format.md: consumers in other languages rely on each of these. */
class WireFormatTest {
    private final Broker broker = Broker.shared();

    @Test
    void messageOnTheWireIsAsDocumented() {
        OutboxEvent event =
                Events.of("order.created", Map.of("tenant", "nörd", "retries", 3L, "vip", true), "{\"total\": 10.00}");
        GetResponse message = throughBroker(event);

        assertThat(message.getEnvelope().getRoutingKey()).isEqualTo("order.created");
        assertThat(message.getBody()).isEqualTo("{\"total\": 10.00}".getBytes(StandardCharsets.UTF_8));
        BasicProperties properties = message.getProps();
        assertThat(properties.getMessageId()).isEqualTo(event.id().toString());
        assertThat(properties.getType()).isEqualTo("order.created");
        assertThat(properties.getContentType()).isEqualTo("application/json");
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getTimestamp()).isEqualTo(Date.from(Instant.parse("2026-03-01T12:00:00Z")));
        assertThat(texts(properties.getHeaders()))
                .containsOnly(
                        entry("aggregate_type", "order"),
                        entry("aggregate_id", "42"),
                        entry("seq", 7L),
                        entry("tenant", "nörd"),
                        entry("retries", 3L),
                        entry("vip", true));
        assertThat(List.of(
                        String.valueOf(properties.getContentEncoding()),
                        String.valueOf(properties.getPriority()),
                        String.valueOf(properties.getCorrelationId()),
                        String.valueOf(properties.getReplyTo()),
                        String.valueOf(properties.getExpiration()),
                        String.valueOf(properties.getUserId()),
                        String.valueOf(properties.getAppId())))
                .containsOnly("null");
    }

    @Test
    void consumerReadsBackWhatWasPublished() {
        OutboxEvent event = Events.of("order.created", Map.of("tenant", "nörd", "retries", 3L, "vip", true), "[1.50]");
        GetResponse message = throughBroker(event);

        OutboxEvent received =
                WireFormat.event(new Delivery(message.getEnvelope(), message.getProps(), message.getBody()));

        assertThat(received.id()).isEqualTo(event.id());
        assertThat(received.seq()).isEqualTo(7);
        assertThat(received.aggregateType()).isEqualTo("order");
        assertThat(received.aggregateId()).isEqualTo("42");
        assertThat(received.eventType()).isEqualTo("order.created");
        assertThat(received.createdAt()).isEqualTo(event.createdAt());
        assertThat(received.headers()).isEqualTo(event.headers());
        assertThat(received.payloadAsTree().get(0).decimalValue()).isEqualTo("1.50");
    }

    @Test
    void ownHeaderCannotReplaceOneOfTheLibrary() {
        OutboxEvent event = Events.of("t", Map.of("aggregate_id", "forged", "seq", "forged"), "1");
        Map<String, Object> headers = WireFormat.properties(event).getHeaders();
        assertThat(headers).containsEntry("aggregate_id", "42").containsEntry("seq", 7L);
    }

    @Test
    void messageOfAnotherProducerWithoutHeadersIsRead() {
        UUID id = UUID.randomUUID();
        OutboxEvent event = WireFormat.event(
                delivery(new BasicProperties.Builder().messageId(id.toString()).build()));
        assertThat(event.id()).isEqualTo(id);
        assertThat(event.eventType()).isEqualTo("routing.key");
        assertThat(event.aggregateId()).isEmpty();
        assertThat(event.seq()).isZero();
        assertThat(event.headers()).isEmpty();
        assertThat(event.payloadAsText()).isEqualTo("{}");
    }

    @Test
    void headersOfOtherTypesBecomeTextAndNullIsLeftOut() {
        Map<String, @Nullable Object> headers = new HashMap<>();
        headers.put("int", 5);
        headers.put("double", 1.5);
        headers.put("list", List.of("a"));
        headers.put("null", null);
        OutboxEvent event = WireFormat.event(delivery(new BasicProperties.Builder()
                .messageId(UUID.randomUUID().toString())
                .headers(headers)
                .build()));
        assertThat(event.headers()).containsOnly(entry("int", 5L), entry("double", "1.5"), entry("list", "[a]"));
    }

    /** The second is there since RabbitMQ 4.3. */
    @Test
    void countsOfAQuorumQueueAreNoHeadersOfTheEvents() {
        BasicProperties redelivered = new BasicProperties.Builder()
                .messageId(UUID.randomUUID().toString())
                .headers(Map.of("x-delivery-count", 2L, "x-acquired-count", 3L, "tenant", "nord"))
                .build();
        assertThat(WireFormat.event(delivery(redelivered)).headers()).containsOnly(entry("tenant", "nord"));
        assertThat(WireFormat.deadLetter(redelivered, Map.of()).getHeaders()).containsOnly(entry("tenant", "nord"));
        assertThat(WireFormat.earlierDeliveries(redelivered)).isEqualTo(2);
    }

    @Test
    void messageWithoutAUuidIsUnreadable() {
        assertThatThrownBy(() -> WireFormat.event(delivery(new BasicProperties())))
                .hasMessage("message-id must be a UUID (was missing)");
        assertThatThrownBy(() -> WireFormat.event(
                        delivery(new BasicProperties.Builder().messageId("17").build())))
                .hasMessage("message-id must be a UUID (was \"17\")");
        // Java makes one UUID of this and of "100000001-1-1-1-1".
        assertThatThrownBy(() -> WireFormat.event(delivery(
                        new BasicProperties.Builder().messageId("1-1-1-1-1").build())))
                .hasMessage("message-id must be a UUID (was \"1-1-1-1-1\")");
    }

    private GetResponse throughBroker(OutboxEvent event) {
        String exchange = broker.exchange();
        String queue = broker.queue(exchange, "#");
        try (RabbitPublisher publisher = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
                PublisherSession session = publisher.open()) {
            assertThat(session.publish(List.of(event), Duration.ofSeconds(10)))
                    .containsExactly(PublishOutcome.confirmed());
        }
        return broker.take(queue).get(0);
    }

    private static Delivery delivery(BasicProperties properties) {
        return new Delivery(
                new Envelope(1, false, "exchange", "routing.key"), properties, "{}".getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, Object> texts(Map<String, Object> headers) {
        Map<String, Object> texts = new HashMap<>(headers);
        texts.replaceAll((name, value) -> value instanceof LongString text ? text.toString() : value);
        return texts;
    }
}
