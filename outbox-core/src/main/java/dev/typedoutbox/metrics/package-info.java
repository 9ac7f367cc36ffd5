/** Metrics of relays and consumers, on Micrometer. docs/metrics.md lists them. No other package needs Micrometer. */
@NullMarked
package dev.typedoutbox.metrics;

import org.jspecify.annotations.NullMarked;
