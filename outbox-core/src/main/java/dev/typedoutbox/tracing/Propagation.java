package dev.typedoutbox.tracing;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Carries a trace's context in an event's headers. */
final class Propagation {
    /** As long as W3C lets a baggage be; nothing longer is written or read. */
    private static final int MAX_LENGTH = 8_192;

    private static final TextMapGetter<Map<String, Object>> GETTER = new HeaderGetter();

    private final TextMapPropagator propagator;
    private final TracerFailures failures;

    Propagation(TextMapPropagator propagator, TracerFailures failures) {
        this.propagator = propagator;
        this.failures = failures;
    }

    /** The headers that carry the context on. */
    Map<String, Object> inject(Context context) {
        Map<String, Object> headers = new LinkedHashMap<>();
        propagator.inject(context, headers, (carrier, name, value) -> {
            if (value.length() <= MAX_LENGTH) {
                headers.put(name, value);
            }
        });
        return headers;
    }

    /** What the headers say on top of a context. They may be another producer's: what cannot be read is not there. */
    Context extract(Context base, Map<String, Object> headers) {
        if (headers.isEmpty()) {
            return base;
        }
        try {
            return propagator.extract(base, headers, GETTER);
        } catch (RuntimeException | LinkageError e) {
            failures.tell(e);
            return base;
        }
    }

    boolean carriesTrace(Map<String, Object> headers) {
        return Span.fromContext(extract(Context.root(), headers))
                .getSpanContext()
                .isValid();
    }

    private static final class HeaderGetter implements TextMapGetter<Map<String, Object>> {
        @Override
        @SuppressWarnings("deprecation") // Some propagators still ask for it.
        public Iterable<String> keys(Map<String, Object> headers) {
            return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, Object> headers, String name) {
            Object value = headers == null ? null : headers.get(name);
            return value instanceof String text && text.length() <= MAX_LENGTH ? text : null;
        }
    }
}
