/** Starts the servers and the contenders, lets them work in turn, checks what they did, and reports the figures. */
@NullMarked
package dev.typedoutbox.benchmark.harness;

import org.jspecify.annotations.NullMarked;
