/** Helps to test code that uses the outbox: a broker in memory. */
@NullMarked
package dev.typedoutbox.testkit;

import org.jspecify.annotations.NullMarked;
