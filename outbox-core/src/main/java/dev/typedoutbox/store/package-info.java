/**
 * The only code that knows the outbox's tables. Not for users: it may change with any version; an architecture test keeps
 * the other packages away from the generated tables.
 */
@NullMarked
package dev.typedoutbox.store;

import org.jspecify.annotations.NullMarked;
