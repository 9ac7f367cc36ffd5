/**
 * What a system must offer to be measured. Each one runs in a warm JVM of its own, because the systems that are compared
 * need libraries that do not go together; the harness talks to it by lines on standard input and output.
 */
@NullMarked
package dev.typedoutbox.benchmark.contender;

import org.jspecify.annotations.NullMarked;
