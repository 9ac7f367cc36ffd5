package dev.typedoutbox.rabbit;

import org.jspecify.annotations.Nullable;

/**
 * The broker does not declare an exchange, a queue or a binding as it was wanted, and will not before something is changed:
 * it exists otherwise, the user lacks a right, or the broker lacks a feature. The message names it, says what was wanted,
 * what the broker said, and what to do. What exists is left as it is.
 *
 * @since 0.1.0
 */
public final class TopologyRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TopologyRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
