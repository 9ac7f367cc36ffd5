/** The admin page: what is pending and dead, and what an operator does about it. */
@NullMarked
package dev.typedoutbox.admin;

import org.jspecify.annotations.NullMarked;
