package dev.typedoutbox.benchmark.harness;

/** Knows that the JVM is ending: what fails then, fails because servers and contenders end, too. */
final class StopSignal {
    private static volatile boolean received;

    private StopSignal() {}

    static void watch() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> received = true, "stop-benchmark"));
    }

    static boolean isReceived() {
        return received;
    }
}
