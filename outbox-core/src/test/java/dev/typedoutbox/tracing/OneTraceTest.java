package dev.typedoutbox.tracing;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static dev.typedoutbox.tracing.RecordedSpans.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.EventHandler;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One trace from the code that publishes to the last consumer, over a real database. */
@Timeout(60)
class OneTraceTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final NewEvent PLACED = NewEvent.of("order", "4711", "order.placed", "x");
    private static final NewEvent SHIPPED = NewEvent.of("shipment", "4711", "shipment.sent", "x");

    private final RecordedSpans spans = new RecordedSpans();
    private final OpenTelemetryTracing tracing = spans.tracing();
    private final Outbox outbox = Outbox.builder().headers(tracing.headers()).build();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @AfterEach
    void close() {
        spans.close();
    }

    @Test
    void traceGoesFromThePublisherThroughTheRelayToTheConsumerOfTheFollowUpEvent() {
        UUID placed = publishInASpan(PLACED);
        consumer("shipping", (tx, event) -> outbox.publish(tx, SHIPPED)).apply(relayed("order.placed"));
        consumer("billing", (tx, event) -> {}).apply(relayed("shipment.sent"));

        SpanData request = spans.only("POST /orders");
        assertThat(spans.all()).extracting(SpanData::getTraceId).containsOnly(request.getTraceId());
        SpanData create = spans.only("create order.placed");
        assertThat(parent(create)).isEqualTo(request.getSpanId());
        assertThat(parent(spans.only("send order.placed"))).isEqualTo(create.getSpanId());
        SpanData process = spans.only("process order.placed");
        assertThat(parent(process)).isEqualTo(create.getSpanId());
        SpanData followUp = spans.only("create shipment.sent");
        assertThat(parent(followUp)).isEqualTo(process.getSpanId());
        assertThat(parent(spans.only("send shipment.sent"))).isEqualTo(followUp.getSpanId());
        assertThat(parent(spans.only("process shipment.sent"))).isEqualTo(followUp.getSpanId());
        assertThat(text(spans.only("process shipment.sent"), "messaging.message.conversation_id"))
                .isEqualTo(placed.toString());
    }

    @Test
    void spansTellWhatTheyAreByTheConventionsForMessaging() {
        UUID placed = publishInASpan(PLACED);
        consumer("shipping", (tx, event) -> {}).apply(relayed("order.placed"));

        assertThat(spans.only("create order.placed").getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(spans.only("send order.placed").getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(spans.only("process order.placed").getKind()).isEqualTo(SpanKind.CONSUMER);
        for (String operation : List.of("create", "send", "process")) {
            SpanData span = spans.only(operation + " order.placed");
            assertThat(text(span, "messaging.system")).isEqualTo("typed_outbox");
            assertThat(text(span, "messaging.operation.name")).isEqualTo(operation);
            assertThat(text(span, "messaging.operation.type")).isEqualTo(operation);
            assertThat(text(span, "messaging.destination.name")).isEqualTo("order.placed");
            assertThat(text(span, "messaging.message.id")).isEqualTo(placed.toString());
            assertThat(text(span, "outbox.aggregate.type")).isEqualTo("order");
            assertThat(text(span, "outbox.aggregate.id")).isEqualTo("4711");
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            assertThat(span.getInstrumentationScopeInfo().getName()).isEqualTo("dev.typedoutbox");
        }
    }

    @Test
    void everyWayToPublishCarriesTheTrace() throws Exception {
        DATABASE.dsl().transaction((Configuration tx) -> {
            outbox.publish(tx, PLACED);
            outbox.publish(tx.dsl(), PLACED);
            outbox.publishAll(tx, List.of(PLACED, PLACED));
            outbox.publishAll(tx.dsl(), List.of(PLACED));
        });
        try (Connection tx = DATABASE.dataSource().getConnection()) {
            tx.setAutoCommit(false);
            outbox.publish(tx, PLACED);
            outbox.publishAll(tx, List.of(PLACED, PLACED));
            tx.commit();
        }

        List<String> traceparents = DATABASE.column("select headers ->> 'traceparent' from outbox_events order by seq");
        assertThat(traceparents)
                .hasSize(8)
                .containsExactlyElementsOf(spans.named("create order.placed").stream()
                        .map(OneTraceTest::traceparent)
                        .toList());
    }

    @Test
    void baggageTravelsToo() {
        AtomicReference<String> customer = new AtomicReference<>();
        try (Scope ignored = Baggage.builder().put("customer", "42").build().makeCurrent()) {
            publishInASpan(PLACED);
        }
        assertThat(DATABASE.value("select headers ->> 'baggage' from outbox_events"))
                .isEqualTo("customer=42");

        consumer("shipping", (tx, event) -> customer.set(Baggage.current().getEntryValue("customer")))
                .apply(relayed("order.placed"));

        assertThat(customer).hasValue("42");
        assertThat(Baggage.current().isEmpty()).isTrue();
    }

    @Test
    void contextThatTheEventBringsStaysAndGetsNoSpan() {
        String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        publishInASpan(PLACED.withHeader("traceparent", traceparent));
        consumer("shipping", (tx, event) -> {}).apply(relayed("order.placed"));

        assertThat(spans.named("create order.placed")).isEmpty();
        assertThat(DATABASE.value("select headers::text from outbox_events"))
                .isEqualTo("{\"traceparent\": \"" + traceparent + "\"}");
        assertThat(parent(spans.only("send order.placed"))).isEqualTo("b7ad6b7169203331");
        assertThat(parent(spans.only("process order.placed"))).isEqualTo("b7ad6b7169203331");
    }

    @Test
    void spanThatIsCurrentAroundAHandlerIsLinkedAndCurrentAgainAfterwards() {
        publishInASpan(PLACED);
        OutboxEvent event = relayed("order.placed");
        Span receive =
                spans.openTelemetry().getTracer("test").spanBuilder("receive").startSpan();
        try (Scope ignored = receive.makeCurrent()) {
            consumer("shipping", (tx, received) -> {}).apply(event);
            assertThat(Span.current()).isEqualTo(receive);
        }

        SpanData process = spans.only("process order.placed");
        assertThat(parent(process)).isEqualTo(spans.only("create order.placed").getSpanId());
        assertThat(process.getLinks())
                .singleElement()
                .satisfies(link -> assertThat(link.getSpanContext()).isEqualTo(receive.getSpanContext()));
    }

    @Test
    void handlerThatFailsIsTold() {
        publishInASpan(PLACED);
        OutboxEvent event = relayed("order.placed");

        assertThatThrownBy(() -> consumer("shipping", (tx, received) -> {
                            throw new IllegalStateException("no stock");
                        })
                        .apply(event))
                .hasMessage("no stock");

        SpanData process = spans.only("process order.placed");
        assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(process.getStatus().getDescription()).isEqualTo("no stock");
        assertThat(text(process, "error.type")).isEqualTo("java.lang.IllegalStateException");
        assertThat(process.getEvents())
                .singleElement()
                .satisfies(told -> assertThat(told.getName()).isEqualTo("exception"));
    }

    @Test
    void eventWithoutATraceGetsRoots() {
        DATABASE.insertEvents(1, 1);

        consumer("shipping", (tx, event) -> {}).apply(relayed("order.changed"));

        SpanData send = spans.only("send order.changed");
        SpanData process = spans.only("process order.changed");
        assertThat(List.of(parent(send), parent(process))).containsOnly(SpanId.getInvalid());
        assertThat(send.getTraceId()).isNotEqualTo(process.getTraceId());
    }

    @Test
    void duplicateHasNoSpan() {
        publishInASpan(PLACED);
        OutboxEvent event = relayed("order.placed");
        IdempotentConsumer consumer = consumer("shipping", (tx, received) -> {});

        consumer.apply(event);
        consumer.apply(event);

        assertThat(spans.named("process order.placed")).hasSize(1);
    }

    private UUID publishInASpan(NewEvent event) {
        Span request = spans.openTelemetry()
                .getTracer("test")
                .spanBuilder("POST /orders")
                .startSpan();
        try (Scope ignored = request.makeCurrent()) {
            return DATABASE.dsl().transactionResult((Configuration tx) -> outbox.publish(tx, event));
        } finally {
            request.end();
        }
    }

    private OutboxEvent relayed(String eventType) {
        InMemoryPublisher publisher = new InMemoryPublisher();
        drain(DATABASE, publisher, quick().observer(tracing.relayObserver()));
        assertThat(publisher.sent())
                .singleElement()
                .extracting(OutboxEvent::eventType)
                .isEqualTo(eventType);
        return publisher.sent().get(0);
    }

    private IdempotentConsumer consumer(String name, EventHandler handler) {
        return IdempotentConsumer.create(DATABASE.dataSource(), name, tracing.handler(handler));
    }

    private static String parent(SpanData span) {
        return span.getParentSpanId();
    }

    private static String traceparent(SpanData span) {
        String flags = span.getSpanContext().getTraceFlags().asHex();
        return "00-" + span.getTraceId() + "-" + span.getSpanId() + "-" + flags;
    }
}
