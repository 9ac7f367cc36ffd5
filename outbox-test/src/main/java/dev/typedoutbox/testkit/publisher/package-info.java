/** The contract of a publisher, as tests with JUnit 5, for who writes one. */
@NullMarked
package dev.typedoutbox.testkit.publisher;

import org.jspecify.annotations.NullMarked;
