package dev.typedoutbox.tracing;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Tells of what goes wrong in a tracer: the first time as a warning, which is enough of them when each event fails. */
final class TracerFailures {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTelemetryTracing.class);

    private final AtomicBoolean told = new AtomicBoolean();

    /** Runs a step of a tracer, which may be built for another version of the API. */
    void contain(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | LinkageError e) {
            tell(e);
        }
    }

    void tell(Throwable failure) {
        LOG.atLevel(told.getAndSet(true) ? Level.DEBUG : Level.WARN)
                .setCause(failure)
                .log("the tracer failed; events go on, and their traces may have gaps");
    }
}
