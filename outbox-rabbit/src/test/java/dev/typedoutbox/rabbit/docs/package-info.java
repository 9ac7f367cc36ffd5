/** The code that the documentation shows: compiled, run, and compared with the pages. */
@NullMarked
package dev.typedoutbox.rabbit.docs;

import org.jspecify.annotations.NullMarked;
