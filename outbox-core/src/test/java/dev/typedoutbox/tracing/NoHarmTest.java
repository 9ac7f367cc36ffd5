package dev.typedoutbox.tracing;

import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.TraceStateBuilder;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jooq.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the headers hold and whatever a tracer does, events are published, relayed and consumed. */
@Timeout(60)
class NoHarmTest {
    private static final OutboxDatabase DATABASE = OutboxDatabase.create();
    private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN_ID = "b7ad6b7169203331";
    private static final NewEvent PLACED = NewEvent.of("order", "4711", "order.placed", "x");
    private static final int MAX_HEADER_BYTES = 64 * 1024;

    private final RecordedSpans spans = new RecordedSpans();

    @BeforeEach
    void empty() {
        DATABASE.empty();
    }

    @AfterEach
    void close() {
        spans.close();
    }

    @ParameterizedTest
    @MethodSource("strangeHeaders")
    void headersOfOtherProducersAreNoTraceOrABrokenOne(Map<String, Object> headers) {
        OutboxEvent event = OutboxEvent.builder(UUID.randomUUID())
                .eventType("order.placed")
                .headers(headers)
                .build();

        assertThat(consume(spans.tracing(), event)).isEqualTo(Applied.APPLIED);

        assertThat(spans.only("process order.placed").getParentSpanId()).isEqualTo(SpanId.getInvalid());
    }

    static List<Map<String, Object>> strangeHeaders() {
        String good = "00-" + TRACE_ID + "-" + SPAN_ID + "-01";
        return List.of(
                Map.of("traceparent", 17L),
                Map.of("traceparent", true),
                Map.of("traceparent", ""),
                Map.of("traceparent", "\0"),
                Map.of("traceparent", "00-00000000000000000000000000000000-" + SPAN_ID + "-01"),
                Map.of("traceparent", "ff-" + TRACE_ID + "-" + SPAN_ID + "-01"),
                Map.of("traceparent", good + "-more"),
                Map.of("traceparent", "x".repeat(100_000)),
                Map.of("traceparent", good.replaceFirst("00", "01") + "-" + "of a later version".repeat(1_000)),
                Map.of("tracestate", "a=b"),
                Map.of("baggage", "=;=,,%zz"),
                Map.of("baggage", "x".repeat(100_000)),
                Map.of("", good));
    }

    @ParameterizedTest
    @MethodSource("strangeTracestates")
    void traceGoesOnWithoutATracestateThatCannotBeRead(Object tracestate) {
        OutboxEvent event = OutboxEvent.builder(UUID.randomUUID())
                .eventType("order.placed")
                .headers(Map.of("traceparent", "00-" + TRACE_ID + "-" + SPAN_ID + "-01", "tracestate", tracestate))
                .build();

        consume(spans.tracing(), event);

        SpanData process = spans.only("process order.placed");
        assertThat(process.getParentSpanId()).isEqualTo(SPAN_ID);
        assertThat(process.getParentSpanContext().getTraceState().isEmpty()).isTrue();
    }

    static List<Object> strangeTracestates() {
        return List.of("nonsense", 17L, "a=" + "x".repeat(100_000));
    }

    @Test
    void hugeTextsOfOtherProducersAreCut() {
        String huge = "x".repeat(100_000);
        OutboxEvent event = OutboxEvent.builder(UUID.randomUUID())
                .aggregate(huge, huge, 1)
                .eventType(huge)
                .build();

        consume(spans.tracing(), event);

        SpanData process = spans.all().get(0);
        assertThat(process.getName()).isEqualTo("process " + "x".repeat(255));
        process.getAttributes()
                .forEach((key, value) -> assertThat(value.toString()).hasSizeLessThanOrEqualTo(255));
    }

    @Test
    void messageWithoutATypeIsProcessedToo() {
        consume(spans.tracing(), OutboxEvent.builder(UUID.randomUUID()).build());

        assertThat(spans.only("process").getAttributes().asMap().keySet())
                .extracting(Object::toString)
                .contains("messaging.message.id")
                .doesNotContain("messaging.destination.name", "outbox.aggregate.id");
    }

    @Test
    void tracestateTravelsUnlessItIsOversized() {
        publishInAContextWith(TraceState.builder().put("vendor", "value").build());
        publishInAContextWith(oversized());

        assertThat(DATABASE.column("select headers ->> 'tracestate' from outbox_events order by seq"))
                .containsExactly("vendor=value", null);
        assertThat(DATABASE.column("select substring(headers ->> 'traceparent', 4, 32) from outbox_events"))
                .containsExactly(TRACE_ID, TRACE_ID);
    }

    @Test
    void eventWhoseHeadersHaveNoRoomLeftIsPublishedWithoutItsTrace() {
        NewEvent full = PLACED.withHeader("h", "x".repeat(MAX_HEADER_BYTES - "{'h':''}".length()));

        publish(spans.tracing(), full);

        assertThat(DATABASE.count("jsonb_exists(headers, 'h') and not jsonb_exists(headers, 'traceparent')"))
                .isEqualTo(1);
    }

    @Test
    void whatIsSampledOutIsSampledOutAlongTheWayAndLeavesNoSpan() {
        try (RecordedSpans none = new RecordedSpans(Sampler.parentBased(Sampler.alwaysOff()))) {
            publish(none.tracing(), PLACED);
            consume(spans.tracing(), relay(spans.tracing()));

            assertThat(DATABASE.count("jsonb_exists(headers, 'traceparent')")).isEqualTo(1);
            assertThat(none.all()).isEmpty();
            assertThat(spans.all()).isEmpty();
        }
    }

    @Test
    void openTelemetryThatDoesNothingAddsNothing() {
        OpenTelemetryTracing nothing = OpenTelemetryTracing.of(OpenTelemetry.noop());
        publish(nothing, PLACED);

        OutboxEvent event = relay(nothing);

        assertThat(event.headers()).isEmpty();
        assertThat(consume(nothing, event)).isEqualTo(Applied.APPLIED);
    }

    @ParameterizedTest
    @MethodSource("brokenTracers")
    void brokenTracerDoesNoHarmAndIsToldOnce(OpenTelemetry broken) {
        OpenTelemetryTracing tracing = OpenTelemetryTracing.of(broken);
        try (LogRecorder log = new LogRecorder()) {
            for (int i = 0; i < 3; i++) {
                empty();
                publish(tracing, PLACED.withHeader("own", 1));
                assertThat(consume(tracing, relay(tracing))).isEqualTo(Applied.APPLIED);
            }

            assertThat(log.lines()).singleElement().asString().startsWith("the tracer failed");
        }
    }

    static List<OpenTelemetry> brokenTracers() {
        return List.of(
                Broken.sampler(new IllegalStateException("on purpose")),
                Broken.sampler(new NoSuchMethodError("on purpose")),
                Broken.endOfSpans(),
                Broken.propagator());
    }

    private static Applied consume(OpenTelemetryTracing tracing, OutboxEvent event) {
        return IdempotentConsumer.create(DATABASE.dataSource(), "shipping", tracing.handler((tx, received) -> {}))
                .apply(event);
    }

    private static OutboxEvent relay(OpenTelemetryTracing tracing) {
        InMemoryPublisher publisher = new InMemoryPublisher();
        drain(DATABASE, publisher, quick().observer(tracing.relayObserver()));
        assertThat(publisher.sent()).hasSize(1);
        return publisher.sent().get(0);
    }

    private static void publish(OpenTelemetryTracing tracing, NewEvent event) {
        Outbox outbox = Outbox.builder().headers(tracing.headers()).build();
        DATABASE.dsl().transaction((Configuration tx) -> outbox.publish(tx, event));
    }

    private void publishInAContextWith(TraceState state) {
        SpanContext context = SpanContext.createFromRemoteParent(TRACE_ID, SPAN_ID, TraceFlags.getSampled(), state);
        try (Scope ignored = Span.wrap(context).makeCurrent()) {
            publish(spans.tracing(), PLACED);
        }
    }

    private static TraceState oversized() {
        TraceStateBuilder state = TraceState.builder();
        for (int i = 0; i < 32; i++) {
            state.put("vendor" + i, "x".repeat(256));
        }
        return state.build();
    }
}
