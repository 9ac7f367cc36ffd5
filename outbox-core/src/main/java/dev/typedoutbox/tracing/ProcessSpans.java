package dev.typedoutbox.tracing;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.EventHandler;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jooq.DSLContext;

/** Makes a span of each call of a handler. */
final class ProcessSpans implements EventHandler {
    private final Tracing tracing;
    private final EventHandler handler;

    ProcessSpans(Tracing tracing, EventHandler handler) {
        this.tracing = tracing;
        this.handler = handler;
    }

    @Override
    public void handle(DSLContext tx, OutboxEvent event) throws Exception {
        Call call = begin(event);
        try (Scope ignored = call.context.makeCurrent()) {
            handler.handle(tx, event);
        } catch (Throwable e) {
            tracing.failures().contain(() -> fail(call.span, e));
            throw e;
        } finally {
            tracing.failures().contain(call.span::end);
        }
    }

    private Call begin(OutboxEvent event) {
        Context around = Context.current();
        try {
            Context parent = tracing.propagation().extract(around, event.headers());
            SpanBuilder span = tracing.spans().of(Operation.PROCESS, event).setParent(parent);
            SpanContext ambient = Span.fromContext(around).getSpanContext();
            if (ambient.isValid() && !ambient.equals(Span.fromContext(parent).getSpanContext())) {
                span.addLink(ambient);
            }
            return Call.in(parent, span.startSpan());
        } catch (RuntimeException | LinkageError e) {
            tracing.failures().tell(e);
            return new Call(around, Span.getInvalid());
        }
    }

    private static void fail(Span span, Throwable failure) {
        span.recordException(failure);
        Spans.fail(span, failure.getClass().getName(), String.valueOf(failure.getMessage()));
    }

    /** A call's span, and the context for what is done in it. */
    private record Call(Context context, Span span) {
        static Call in(Context parent, Span span) {
            return new Call(parent.with(span), span);
        }
    }
}
