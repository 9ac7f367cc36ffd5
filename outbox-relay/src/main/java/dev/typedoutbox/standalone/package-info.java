/** The relay as a process of its own, and its command line. */
@NullMarked
package dev.typedoutbox.standalone;

import org.jspecify.annotations.NullMarked;
