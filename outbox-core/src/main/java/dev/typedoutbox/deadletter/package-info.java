/** Dead letters: events that were given up, and what an operator does with them. */
@NullMarked
package dev.typedoutbox.deadletter;

import org.jspecify.annotations.NullMarked;
