package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.tracing.OpenTelemetryTracing;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The code of docs/tracing.md, and the trace that it makes over a real broker. */
class TracingTest {
    private static final NewEvent ORDER_PLACED = NewEvent.of("order", "4711", "order.placed", "x");
    private static final NewEvent SHIPMENT_SENT = NewEvent.of("shipment", "4711", "shipment.sent", "x");

    private final Broker broker = Broker.shared();
    private final ConnectionFactory rabbit = broker.factory();
    private final String exchange = broker.exchange();
    private final String orders = broker.queue(exchange, "order.placed");
    private final String shipments = broker.queue(exchange, "shipment.sent");
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk openTelemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();

    @AfterEach
    void close() {
        openTelemetry.close();
    }

    @Test
    void oneTraceLeadsOverTheBrokerToTheConsumerOfTheFollowUpEvent() {
        try (OutboxDatabase database = OutboxDatabase.create()) {
            runAll(database);
        }

        SpanData request = only("request");
        assertThat(spans.getFinishedSpanItems())
                .extracting(SpanData::getTraceId)
                .containsOnly(request.getTraceId());
        assertThat(parent("create order.placed")).isEqualTo(request.getSpanId());
        assertThat(parent("send order.placed")).isEqualTo(id("create order.placed"));
        assertThat(parent("process order.placed")).isEqualTo(id("create order.placed"));
        assertThat(parent("create shipment.sent")).isEqualTo(id("process order.placed"));
        assertThat(parent("send shipment.sent")).isEqualTo(id("create shipment.sent"));
        assertThat(parent("process shipment.sent")).isEqualTo(id("create shipment.sent"));
    }

    private void runAll(OutboxDatabase database) {
        DataSource dataSource = database.dataSource();
        OpenTelemetryTracing tracing = OpenTelemetryTracing.of(openTelemetry);

        // Where events are published:
        Outbox outbox = Outbox.builder().headers(tracing.headers()).build();

        // Where they are relayed:
        RelayConfig config =
                RelayConfig.builder().observer(tracing.relayObserver()).build();

        // Where they are consumed:
        IdempotentConsumer shipping = IdempotentConsumer.create(
                dataSource, "shipping", tracing.handler((tx, event) -> outbox.publish(tx, SHIPMENT_SENT)));
        IdempotentConsumer billing =
                IdempotentConsumer.create(dataSource, "billing", tracing.handler((tx, event) -> {}));
        try (RabbitPublisher publisher = RabbitPublisher.create(rabbit, Routing.toExchange(exchange));
                Relay relay = Relay.create(dataSource, publisher, config);
                RabbitConsumer first = consumer(orders, shipping);
                RabbitConsumer second = consumer(shipments, billing)) {
            relay.start();
            first.start();
            second.start();
            publishInARequest(database, outbox);
            await().until(() -> named("process shipment.sent").size() == 1
                    && named("send shipment.sent").size() == 1);
        }
    }

    private void publishInARequest(OutboxDatabase database, Outbox outbox) {
        Span request = openTelemetry.getTracer("test").spanBuilder("request").startSpan();
        try (Scope ignored = request.makeCurrent()) {
            database.inTransaction(tx -> outbox.publish(tx, ORDER_PLACED));
        } finally {
            request.end();
        }
    }

    private RabbitConsumer consumer(String queue, IdempotentConsumer consumer) {
        return RabbitConsumer.builder(rabbit, queue, consumer)
                .rejectDeadLetters()
                .build();
    }

    @Test
    void otherTracersUseTheHookForHeaders() {
        Supplier<Map<String, Object>> tracer = () -> Map.of("b3", "0");
        Outbox outbox = Outbox.builder().headers((id, event) -> tracer.get()).build();
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.inTransaction((Connection tx) -> outbox.publish(tx, ORDER_PLACED));
            assertThat(database.count("outbox_events where headers ->> 'b3' = '0'"))
                    .isEqualTo(1);
        }
    }

    private List<SpanData> named(String name) {
        return spans.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name))
                .toList();
    }

    private SpanData only(String name) {
        assertThat(named(name)).as(name).hasSize(1);
        return named(name).get(0);
    }

    private String id(String name) {
        return only(name).getSpanId();
    }

    private String parent(String name) {
        return only(name).getParentSpanId();
    }
}
