/** Lets jOOQ's code generator read a schema from a real PostgreSQL that only the migrations have touched. */
@NullMarked
package dev.typedoutbox.servers.codegen;

import org.jspecify.annotations.NullMarked;
