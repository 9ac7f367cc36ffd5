/**
 * Helps to test code that uses the outbox: a broker in memory, which needs nothing else. The module {@code outbox-test} has
 * more.
 */
@NullMarked
package dev.typedoutbox.testkit;

import org.jspecify.annotations.NullMarked;
