/** What was published or applied long ago is deleted, so that the tables do not grow for ever. */
@NullMarked
package dev.typedoutbox.cleanup;

import org.jspecify.annotations.NullMarked;
