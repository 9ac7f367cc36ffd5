/** From a plain outbox table to this library's and back, while the service goes on writing; docs/migrating-in.md. */
@NullMarked
package dev.typedoutbox.migratein;

import org.jspecify.annotations.NullMarked;
