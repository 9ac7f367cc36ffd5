/** The outbox's tables in a database: creating them, and checking that they are there. */
@NullMarked
package dev.typedoutbox.db;

import org.jspecify.annotations.NullMarked;
