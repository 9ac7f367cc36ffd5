package dev.typedoutbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.typedoutbox.status.BoundedCount;
import dev.typedoutbox.status.StatusReport;
import dev.typedoutbox.support.LogRecorder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.exception.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StatusReadingsTest {
    private final AtomicInteger readings = new AtomicInteger();
    private final AtomicLong now = new AtomicLong(17);
    private final CountDownLatch healed = new CountDownLatch(1);

    @AfterEach
    void endReadings() {
        healed.countDown();
    }

    @Test
    void gaugesShareAReadingUntilItIsOld() {
        StatusReadings status = new StatusReadings(this::read, now::get);

        assertThat(pending(status)).isEqualTo(1);
        assertThat(pending(status)).isEqualTo(1);
        now.addAndGet(StatusReadings.FRESH.toNanos() - 1);
        assertThat(pending(status)).isEqualTo(1);
        now.incrementAndGet();
        assertThat(pending(status)).isEqualTo(2);
        assertThat(readings).hasValue(2);
    }

    @Test
    void readingThatFailsIsNotANumberAndTheNextIsTried() {
        StatusReadings status = new StatusReadings(
                () -> {
                    if (readings.getAndIncrement() == 0) {
                        throw new DataAccessException("on purpose");
                    }
                    return report(5);
                },
                now::get);

        assertThat(pending(status)).isNaN();
        assertThat(pending(status)).isNaN();
        now.addAndGet(StatusReadings.FRESH.toNanos());
        assertThat(pending(status)).isEqualTo(5);
    }

    @Test
    void statusThatIsNotKnownIsToldOnceAndSoIsItsReturn() {
        StatusReadings status = new StatusReadings(
                () -> {
                    if (readings.incrementAndGet() % 4 != 0) {
                        throw new DataAccessException("permission denied");
                    }
                    return report(5);
                },
                now::get);
        try (LogRecorder log = new LogRecorder(Level.INFO)) {
            for (int i = 0; i < 5; i++) {
                now.addAndGet(StatusReadings.FRESH.toNanos());
                pending(status);
            }
            assertThat(log.lines()).hasSize(3);
            assertThat(log.lines().get(0)).contains("not known").contains("permission denied");
            assertThat(log.lines().get(1)).contains("known again");
            assertThat(log.lines().get(2)).contains("not known");
        }
    }

    @Test
    void readingThatHangsIsWaitedForOnceAndDoesNotKeepTheNextFromBeingTried() {
        StatusReadings status = new StatusReadings(this::hang);
        long began = System.nanoTime();

        for (int i = 0; i < 100; i++) {
            assertThat(pending(status)).isNaN();
        }

        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isBetween(StatusReadings.LONGEST_WAIT, StatusReadings.LONGEST_WAIT.plusSeconds(2));
        assertThat(readings).hasValue(1);
    }

    @Test
    void readingsThatHangDoNotPileUpAndAreForgottenWhenTheyEnd() {
        StatusReadings status = new StatusReadings(this::hang, now::get);
        for (int i = 0; i < 5; i++) {
            now.addAndGet(StatusReadings.FRESH.toNanos());
            assertThat(pending(status)).isNaN();
        }
        assertThat(readings).hasValue(2);

        healed.countDown();
        await().until(() -> {
            now.addAndGet(StatusReadings.FRESH.toNanos());
            return pending(status) > 2;
        });
    }

    @Test
    void threadThatIsInterruptedStaysSo() throws Exception {
        StatusReadings status = new StatusReadings(this::hang);
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread scrape = new Thread(() -> {
            double value = pending(status);
            interrupted.complete(Double.isNaN(value) && Thread.currentThread().isInterrupted());
        });
        scrape.start();
        scrape.interrupt();

        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
    }

    private StatusReport read() {
        return report(readings.incrementAndGet());
    }

    private StatusReport hang() {
        int number = readings.incrementAndGet();
        try {
            healed.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return report(number);
    }

    private static double pending(StatusReadings status) {
        return status.value(report -> report.pending().value());
    }

    private static StatusReport report(int pending) {
        BoundedCount none = new BoundedCount(0, true);
        return new StatusReport(Instant.EPOCH, new BoundedCount(pending, true), null, none, null, 0, List.of(), 0);
    }
}
