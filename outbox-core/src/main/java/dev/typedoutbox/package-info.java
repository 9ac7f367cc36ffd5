/** Writing events: they become rows of the outbox in the caller's own transaction. */
@NullMarked
package dev.typedoutbox;

import org.jspecify.annotations.NullMarked;
