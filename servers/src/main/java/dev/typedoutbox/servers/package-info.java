/**
 * Real PostgreSQL and AMQP servers for tests, the users' own included, and for the build and the example; the code that
 * uses one does not know where it came from.
 */
@NullMarked
package dev.typedoutbox.servers;

import org.jspecify.annotations.NullMarked;
