package dev.typedoutbox.testkit.junit;

/** Says what an optional dependency is called. */
final class Missing {
    private Missing() {}

    static IllegalStateException servers(NoClassDefFoundError cause) {
        return new IllegalStateException(
                "dev.typedoutbox:servers and what it brings must be on the class path of the tests (was not: "
                        + cause.getMessage() + "): add it in test scope",
                cause);
    }
}
