package dev.typedoutbox.tracing;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.OutboxEvent;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import java.util.UUID;

/** Names and describes spans by OpenTelemetry's conventions for messaging. */
final class Spans {
    private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    private static final AttributeKey<String> OPERATION_NAME = AttributeKey.stringKey("messaging.operation.name");
    private static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey("messaging.operation.type");
    private static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    private static final AttributeKey<String> MESSAGE_ID = AttributeKey.stringKey("messaging.message.id");
    private static final AttributeKey<String> CONVERSATION_ID =
            AttributeKey.stringKey("messaging.message.conversation_id");
    private static final AttributeKey<String> AGGREGATE_TYPE = AttributeKey.stringKey("outbox.aggregate.type");
    private static final AttributeKey<String> AGGREGATE_ID = AttributeKey.stringKey("outbox.aggregate.id");
    private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    /** Other producers' texts may be of any length. */
    private static final int MAX_LENGTH = 255;

    private static final int MAX_DESCRIPTION = 1_000;

    private final Tracer tracer;

    Spans(Tracer tracer) {
        this.tracer = tracer;
    }

    SpanBuilder create(UUID id, NewEvent event) {
        SpanBuilder span = builder(Operation.CREATE, event.eventType(), id);
        describe(span, AGGREGATE_TYPE, event.aggregateType());
        describe(span, AGGREGATE_ID, event.aggregateId());
        return span;
    }

    SpanBuilder of(Operation operation, OutboxEvent event) {
        SpanBuilder span = builder(operation, event.eventType(), event.id());
        describe(span, AGGREGATE_TYPE, event.aggregateType());
        describe(span, AGGREGATE_ID, event.aggregateId());
        describe(span, CONVERSATION_ID, event.correlationId());
        return span;
    }

    private SpanBuilder builder(Operation operation, String eventType, UUID id) {
        String word = operation.word();
        SpanBuilder span = tracer.spanBuilder(eventType.isEmpty() ? word : word + ' ' + cut(eventType, MAX_LENGTH))
                .setSpanKind(operation.spanKind())
                .setAttribute(SYSTEM, "typed_outbox")
                .setAttribute(OPERATION_NAME, word)
                .setAttribute(OPERATION_TYPE, word)
                .setAttribute(MESSAGE_ID, id.toString());
        describe(span, DESTINATION, eventType);
        return span;
    }

    private static void describe(SpanBuilder span, AttributeKey<String> key, String value) {
        if (!value.isEmpty()) {
            span.setAttribute(key, cut(value, MAX_LENGTH));
        }
    }

    static void fail(Span span, String errorType, String description) {
        span.setAttribute(ERROR_TYPE, errorType);
        span.setStatus(StatusCode.ERROR, cut(description, MAX_DESCRIPTION));
    }

    private static String cut(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length);
    }
}
