package dev.typedoutbox.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.EventHeaders;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.EventHandler;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishAttempt;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.RelayObserver;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

/** Where nothing is recorded, tracing takes next to no processor time. */
class TracingCostTest {
    private static final int EVENTS = 20_000;
    private static final int ROUNDS = 8;
    private static final long MAX_NANOS_AN_EVENT = 10_000;

    private static final DSLContext NO_DATABASE = DSL.using(SQLDialect.POSTGRES);
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final NewEvent EVENT = NewEvent.of("order", "4711", "order.placed", "x");

    @Test
    void openTelemetryThatDoesNothingIsCheap() throws Exception {
        requireCheap(OpenTelemetryTracing.of(OpenTelemetry.noop()));
    }

    @Test
    void sampledOutIsCheap() throws Exception {
        try (RecordedSpans none = new RecordedSpans(Sampler.alwaysOff())) {
            requireCheap(none.tracing());
        }
    }

    private static void requireCheap(OpenTelemetryTracing tracing) throws Exception {
        EventHeaders headers = tracing.headers();
        UUID id = UUID.randomUUID();
        OutboxEvent event = OutboxEvent.builder(id)
                .aggregate("order", "4711", 1)
                .eventType("order.placed")
                .headers(headers.of(id, EVENT))
                .build();
        requireCheap("headers", () -> headers.of(id, EVENT));

        RelayObserver observer = tracing.relayObserver();
        List<PublishAttempt> attempts =
                List.of(new PublishAttempt(event, 1, PublishOutcome.confirmed(), Instant.now(), Duration.ZERO));
        BatchResult result = new BatchResult(1, 1, 0, 0, 0);
        requireCheap("observer", () -> observer.batchDone(result, Duration.ZERO, attempts));

        EventHandler handler = tracing.handler((tx, received) -> {});
        requireCheap("handler", () -> handler.handle(NO_DATABASE, event));
    }

    /** The best of several rounds: the first ones are slow, while Java compiles. */
    private static void requireCheap(String what, Step step) throws Exception {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long before = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < EVENTS; i++) {
                step.run();
            }
            best = Math.min(best, (THREADS.getCurrentThreadCpuTime() - before) / EVENTS);
        }
        assertThat(best).as(what + ", nanoseconds an event").isLessThan(MAX_NANOS_AN_EVENT);
    }

    private interface Step {
        void run() throws Exception;
    }
}
