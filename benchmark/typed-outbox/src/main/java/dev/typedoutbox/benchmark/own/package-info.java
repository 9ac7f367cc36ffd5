/** The contenders that need nothing from others: Typed Outbox, the broker alone, and the relay that articles show. */
@NullMarked
package dev.typedoutbox.benchmark.own;

import org.jspecify.annotations.NullMarked;
