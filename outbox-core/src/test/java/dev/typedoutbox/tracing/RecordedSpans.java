package dev.typedoutbox.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.List;

/** An OpenTelemetry of the test's own, whose finished spans can be read. */
final class RecordedSpans implements AutoCloseable {
    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk openTelemetry;

    RecordedSpans() {
        this(Sampler.parentBased(Sampler.alwaysOn()));
    }

    RecordedSpans(Sampler sampler) {
        this.openTelemetry = OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .setSampler(sampler)
                        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                        .build())
                .setPropagators(ContextPropagators.create(TextMapPropagator.composite(
                        W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
                .build();
    }

    OpenTelemetry openTelemetry() {
        return openTelemetry;
    }

    OpenTelemetryTracing tracing() {
        return OpenTelemetryTracing.of(openTelemetry);
    }

    List<SpanData> all() {
        return exporter.getFinishedSpanItems();
    }

    /** All spans of the name, in the order of their ends. */
    List<SpanData> named(String name) {
        return all().stream().filter(span -> span.getName().equals(name)).toList();
    }

    /** The one span of the name. */
    SpanData only(String name) {
        List<SpanData> spans = named(name);
        if (spans.size() != 1) {
            throw new AssertionError("there must be one span \"" + name + "\" (was " + all() + ")");
        }
        return spans.get(0);
    }

    static String text(SpanData span, String attribute) {
        return span.getAttributes().get(AttributeKey.stringKey(attribute));
    }

    @Override
    public void close() {
        openTelemetry.close();
    }
}
