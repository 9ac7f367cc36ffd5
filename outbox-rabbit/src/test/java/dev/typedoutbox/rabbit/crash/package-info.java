/** Servers that stop, die or freeze, and processes that are killed. */
@NullMarked
package dev.typedoutbox.rabbit.crash;

import org.jspecify.annotations.NullMarked;
