package dev.typedoutbox.servers;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** Waits for what a server does in its own time. */
final class Readiness {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private Readiness() {}

    /** A checked exception of the condition means "not yet", an unchecked one "never". */
    static void await(String event, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .atMost(TIMEOUT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(INTERVAL)
                    .ignoreExceptionsMatching(e -> !(e instanceof RuntimeException))
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            throw new IllegalStateException(event + " was awaited for " + TIMEOUT + " in vain", e);
        }
    }
}
