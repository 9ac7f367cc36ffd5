/** Consuming: each event is applied once, although it may be delivered several times. */
@NullMarked
package dev.typedoutbox.consumer;

import org.jspecify.annotations.NullMarked;
