/** An application on jOOQ. */
@NullMarked
package dev.typedoutbox.recipes.jooq;

import org.jspecify.annotations.NullMarked;
