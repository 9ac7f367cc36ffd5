/** Publishing: the relay that moves events from the outbox to a broker, and what an adapter for a broker implements. */
@NullMarked
package dev.typedoutbox.relay;

import org.jspecify.annotations.NullMarked;
