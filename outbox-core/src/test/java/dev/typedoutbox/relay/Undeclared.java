package dev.typedoutbox.relay;

/** Throws what a method does not declare, as what is not written in Java may. */
final class Undeclared {
    private Undeclared() {}

    /** Never returns; the type is for a {@code throw} that the compiler understands. */
    static RuntimeException of(Throwable failure) {
        return Undeclared.<RuntimeException>raise(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T raise(Throwable failure) throws T {
        throw (T) failure;
    }
}
