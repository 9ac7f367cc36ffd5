package dev.typedoutbox;

/**
 * An event was to be written outside a transaction, where it could be stored although the business data is not, or the
 * other way round; or it was to be applied in the caller's transaction, and there was none. Nothing of it remains in the
 * database.
 *
 * @since 0.1.0
 */
public final class NoTransactionException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what must be in a transaction, and how it was found to be in none
     */
    public NoTransactionException(String message) {
        super(message);
    }
}
