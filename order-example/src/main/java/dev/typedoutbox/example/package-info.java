/** The run: starts the order service, loads it, delivers some messages twice, and counts what came of it. */
@NullMarked
package dev.typedoutbox.example;

import org.jspecify.annotations.NullMarked;
