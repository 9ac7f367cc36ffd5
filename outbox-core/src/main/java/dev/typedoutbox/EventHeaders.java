package dev.typedoutbox;

import java.util.Map;
import java.util.UUID;

/**
 * Adds headers to each event that an {@link Outbox} writes, such as the tenant, or what a tracer carries on.
 *
 * <p>Called on the thread that publishes, before any SQL is sent. Must be safe for use by several threads, and quick.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface EventHeaders {
    /**
     * Tells which headers to add to an event. Those that it has already stay as they are, and so do the headers that name its
     * cause.
     *
     * @param id the event's id, which is also the message id
     * @param event the event as it was given
     * @return names and values, by the rules of {@link NewEvent#withHeader}; empty for none
     * @throws RuntimeException if the event must not be written; it reaches the caller of {@code publish}, whose transaction
     *     stays usable
     */
    Map<String, Object> of(UUID id, NewEvent event);

    /**
     * Tells what becomes of an event that these headers make break a rule, as when all its headers are too large with them.
     * Default: the event is refused.
     *
     * @return true if the event is to be written without them; then those of all optional sources are left out
     */
    default boolean areOptional() {
        return false;
    }
}
