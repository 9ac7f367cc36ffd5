/** An application on HikariCP and JDBC. */
@NullMarked
package dev.typedoutbox.recipes.jdbc;

import org.jspecify.annotations.NullMarked;
