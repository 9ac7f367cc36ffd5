/** PostgreSQL with an outbox, and a broker, for tests with JUnit 5. */
@NullMarked
package dev.typedoutbox.testkit.junit;

import org.jspecify.annotations.NullMarked;
