package dev.typedoutbox.tracing;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.context.propagation.TextMapSetter;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SdkTracerProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.util.Collection;
import java.util.List;

/** Tracers whose parts throw. */
final class Broken {
    private static final TextMapPropagator W3C = W3CTraceContextPropagator.getInstance();

    private Broken() {}

    static OpenTelemetry sampler(Throwable failure) {
        return sdk(recording().setSampler(new BrokenSampler(failure)), W3C);
    }

    static OpenTelemetry endOfSpans() {
        return sdk(SdkTracerProvider.builder().addSpanProcessor(new BrokenProcessor()), W3C);
    }

    static OpenTelemetry propagator() {
        return sdk(recording(), new BrokenPropagator());
    }

    /** Without a processor the SDK makes no spans and asks no sampler. */
    private static SdkTracerProviderBuilder recording() {
        return SdkTracerProvider.builder().addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()));
    }

    private static OpenTelemetry sdk(SdkTracerProviderBuilder spans, TextMapPropagator propagator) {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(spans.build())
                .setPropagators(ContextPropagators.create(propagator))
                .build();
    }

    private record BrokenSampler(Throwable failure) implements Sampler {
        @Override
        public SamplingResult shouldSample(
                Context parentContext,
                String traceId,
                String name,
                SpanKind spanKind,
                Attributes attributes,
                List<LinkData> parentLinks) {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) failure;
        }

        @Override
        public String getDescription() {
            return "broken";
        }
    }

    private static final class BrokenProcessor implements SpanProcessor {
        @Override
        public void onStart(Context parentContext, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    private static final class BrokenPropagator implements TextMapPropagator {
        @Override
        public Collection<String> fields() {
            return List.of();
        }

        @Override
        public <C> void inject(Context context, C carrier, TextMapSetter<C> setter) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public <C> Context extract(Context context, C carrier, TextMapGetter<C> getter) {
            throw new IllegalStateException("on purpose");
        }
    }
}
