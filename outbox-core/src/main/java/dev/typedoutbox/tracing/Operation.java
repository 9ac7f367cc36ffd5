package dev.typedoutbox.tracing;

import io.opentelemetry.api.trace.SpanKind;

/** What is done with an event, by OpenTelemetry's conventions for messaging. */
enum Operation {
    CREATE("create", SpanKind.PRODUCER),
    /** Of the kind client, since it is not this span's context that the event carries. */
    SEND("send", SpanKind.CLIENT),
    PROCESS("process", SpanKind.CONSUMER);

    private final String word;
    private final SpanKind spanKind;

    Operation(String word, SpanKind spanKind) {
        this.word = word;
        this.spanKind = spanKind;
    }

    /** Its name and its type. */
    String word() {
        return word;
    }

    SpanKind spanKind() {
        return spanKind;
    }
}
