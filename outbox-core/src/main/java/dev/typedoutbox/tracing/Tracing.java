package dev.typedoutbox.tracing;

/** What the makers of spans share. */
record Tracing(Spans spans, Propagation propagation, TracerFailures failures) {}
