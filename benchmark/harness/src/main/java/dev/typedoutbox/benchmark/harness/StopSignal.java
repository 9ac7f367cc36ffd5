package dev.typedoutbox.benchmark.harness;

/** Knows that the JVM is ending: what fails then, fails because servers and contenders end, too. */
final class StopSignal {
    private static final int STOPPED = 130;

    private static volatile boolean received;

    private StopSignal() {}

    /** With the property {@code benchmark.endsWithParent}, the death of the parent is a signal, too. */
    static void watch() {
        if (Boolean.getBoolean("benchmark.endsWithParent")) {
            ProcessHandle.current().parent().ifPresent(StopSignal::endWith);
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> received = true, "stop-benchmark"));
    }

    private static void endWith(ProcessHandle parent) {
        Thread thread = new Thread(
                () -> {
                    parent.onExit().join();
                    System.exit(STOPPED);
                },
                "end-with-parent");
        thread.setDaemon(true);
        thread.start();
    }

    static boolean isReceived() {
        return received;
    }
}
