package dev.typedoutbox.tracing;

import dev.typedoutbox.EventHeaders;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.EventHandler;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.relay.RelayConfigBuilder;
import dev.typedoutbox.relay.RelayObserver;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Objects;

/**
 * Makes one trace of an event's way: from the code that publishes it through the relay to its consumers, and on to what they
 * publish. The trace's context travels in the event's headers, in the form of the application's propagators, which is that of
 * W3C ({@code traceparent} and {@code tracestate}) unless set otherwise.
 *
 * <p>The three parts work on their own, and usually in different processes: {@link #headers} where events are published,
 * {@link #relayObserver} where they are relayed, {@link #handler} where they are consumed. Spans are named and described by
 * OpenTelemetry's conventions for messaging; the event's type is the destination, and its id the message's.
 *
 * <p>Nothing that goes wrong in a tracer keeps an event from being published, relayed or consumed: the first failure is
 * logged as a warning, later ones at debug level.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class OpenTelemetryTracing {
    private static final String INSTRUMENTATION_SCOPE = "dev.typedoutbox";

    private final Tracing tracing;

    private OpenTelemetryTracing(OpenTelemetry openTelemetry) {
        Objects.requireNonNull(openTelemetry, "openTelemetry");
        TracerFailures failures = new TracerFailures();
        this.tracing = new Tracing(
                new Spans(openTelemetry.getTracer(INSTRUMENTATION_SCOPE)),
                new Propagation(openTelemetry.getPropagators().getTextMapPropagator(), failures),
                failures);
    }

    /**
     * Traces with the application's OpenTelemetry.
     *
     * @param openTelemetry makes the spans, and says how their context travels
     * @return the three parts
     */
    public static OpenTelemetryTracing of(OpenTelemetry openTelemetry) {
        return new OpenTelemetryTracing(openTelemetry);
    }

    /**
     * Begins each event's part of the trace: a span {@code create} as a child of the current one, whose context becomes
     * headers of the event. An event that carries a trace's context already keeps that, and gets no span.
     *
     * <p>A single header of more than 8,192 characters is left out, and so are all of them where the event's headers would
     * become too large. The span stays when the transaction is rolled back.
     *
     * @return what to give to {@link Outbox.Builder#headers}
     */
    public EventHeaders headers() {
        return new CreateSpans(tracing);
    }

    /**
     * Makes a span {@code send} of each attempt to publish an event, as a child of the span in which it was created, or a
     * root if its headers tell of none. It tells how long the event had waited by then, and why the attempt failed if it did.
     * The event's headers stay as they are. An attempt whose batch was rolled back has no span.
     *
     * @return what to give to {@link RelayConfigBuilder#observer}
     */
    public RelayObserver relayObserver() {
        return new SendSpans(tracing);
    }

    /**
     * Makes a span {@code process} of each call of a handler, and the current one while the handler runs, so that what it does
     * and publishes belongs to the trace. It is a child of the span in which the event was created, with a link to the span
     * that was current before, if any; without a trace in {@link OutboxEvent#headers} it is a child of that, or a root. A
     * duplicate has no span, since the handler is not called.
     *
     * @param handler what is called
     * @return what to give to {@link IdempotentConsumer}
     */
    public EventHandler handler(EventHandler handler) {
        return new ProcessSpans(tracing, Objects.requireNonNull(handler, "handler"));
    }
}
