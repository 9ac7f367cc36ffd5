/** Looks into an outbox from a test, steps a relay, lets time pass, and asserts what was written and published. */
@NullMarked
package dev.typedoutbox.testkit.outbox;

import org.jspecify.annotations.NullMarked;
