package dev.typedoutbox.benchmark.harness;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Where the figures come from: without that they say nothing. */
final class Circumstances {
    private Circumstances() {}

    static void note(Report report, Postgres postgres, Broker broker) throws Exception {
        report.circumstance(
                "time", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        report.circumstance("machine", machine());
        report.circumstance("java", System.getProperty("java.vm.name") + " " + Runtime.version());
        report.circumstance("postgresql", postgres.description());
        report.circumstance("broker", broker.description());
    }

    private static String machine() {
        String machine = Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name")
                + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch");
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? machine + ", " + (system.getTotalMemorySize() >> 30) + " GiB"
                : machine;
    }
}
