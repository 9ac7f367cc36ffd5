/**
 * Traces: what is published, relayed and consumed becomes one trace. The only package that needs the OpenTelemetry API, which
 * an application that uses it brings along.
 */
@NullMarked
package dev.typedoutbox.tracing;

import org.jspecify.annotations.NullMarked;
