/** Applications that bring a Flyway and a jOOQ of their own; the module's pom has the class paths. */
@NullMarked
package dev.typedoutbox.recipes.versions;

import org.jspecify.annotations.NullMarked;
