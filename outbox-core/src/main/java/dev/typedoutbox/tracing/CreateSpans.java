package dev.typedoutbox.tracing;

import dev.typedoutbox.EventHeaders;
import dev.typedoutbox.NewEvent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.Map;
import java.util.UUID;

/** Makes a span of each event that is created, and hands its context on. */
final class CreateSpans implements EventHeaders {
    private final Tracing tracing;

    CreateSpans(Tracing tracing) {
        this.tracing = tracing;
    }

    @Override
    public Map<String, Object> of(UUID id, NewEvent event) {
        if (tracing.propagation().carriesTrace(event.headers())) {
            return Map.of();
        }
        try {
            return create(id, event);
        } catch (RuntimeException | LinkageError e) {
            tracing.failures().tell(e);
            return Map.of();
        }
    }

    private Map<String, Object> create(UUID id, NewEvent event) {
        Span span = tracing.spans().create(id, event).startSpan();
        try {
            return tracing.propagation().inject(Context.current().with(span));
        } finally {
            tracing.failures().contain(span::end);
        }
    }

    /** An event without its trace is better than none. */
    @Override
    public boolean areOptional() {
        return true;
    }
}
