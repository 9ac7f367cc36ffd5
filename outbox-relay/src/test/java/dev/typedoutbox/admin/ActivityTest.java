package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.PublishAttempt;
import dev.typedoutbox.relay.PublishOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ActivityTest {
    private static final Instant START = Instant.parse("2026-11-01T12:00:00Z");

    private final SettableClock clock = new SettableClock();
    private final Activity activity = new Activity(clock);

    private void batch(int published, PublishAttempt... attempts) {
        activity.batchDone(new BatchResult(published, published, 0, 0, 0), Duration.ofMillis(5), List.of(attempts));
    }

    private static PublishAttempt attempt(Instant written, Instant sent, Duration took, PublishOutcome outcome) {
        OutboxEvent event = OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", "1", 1)
                .eventType("order.created")
                .createdAt(written)
                .build();
        return new PublishAttempt(event, 1, outcome, sent, took);
    }

    @Test
    void secondIsToldWhenItIsOver() {
        batch(2);
        batch(3);
        assertThat(activity.after(0)).isEmpty();
        clock.now = START.plusSeconds(1);
        assertThat(activity.after(0)).singleElement().satisfies(second -> {
            assertThat(second.epochSecond()).isEqualTo(START.getEpochSecond());
            assertThat(second.published()).isEqualTo(5);
            assertThat(second.medianMillis()).isNull();
        });
        assertThat(activity.after(START.getEpochSecond())).isEmpty();
    }

    @Test
    void delayIsFromTheWriteToTheConfirmation() {
        PublishOutcome confirmed = PublishOutcome.confirmed();
        batch(
                2,
                attempt(START.minusMillis(300), START, Duration.ofMillis(100), confirmed),
                attempt(START.minusMillis(300), START, Duration.ofMillis(100), confirmed),
                attempt(START.minusSeconds(90), START, Duration.ofMillis(100), PublishOutcome.refused("no")));
        clock.now = START.plusSeconds(1);
        Activity.Second second = activity.after(0).get(0);
        assertThat(second.medianMillis()).isCloseTo(400, within(20.0));
        assertThat(second.slowMillis()).isCloseTo(400, within(20.0));
    }

    @Test
    void clockOfTheDatabaseThatIsAheadMakesNoNegativeDelay() {
        batch(1, attempt(START.plusSeconds(5), START, Duration.ofMillis(1), PublishOutcome.confirmed()));
        clock.now = START.plusSeconds(1);
        assertThat(activity.after(0).get(0).medianMillis()).isBetween(0.0, 0.001);
    }

    @Test
    void tenMinutesAreKept() {
        for (int i = 0; i <= Activity.SECONDS + 5; i++) {
            clock.now = START.plusSeconds(i);
            batch(1);
        }
        List<Activity.Second> seconds = activity.after(0);
        assertThat(seconds).hasSize(Activity.SECONDS);
        assertThat(seconds.get(0).epochSecond()).isEqualTo(clock.now.getEpochSecond() - Activity.SECONDS);
    }

    @Test
    void delaysOfAllSizesAreCountedWithinFourPercent() {
        for (long micros : new long[] {1_000, 54_321, 2_000_000, 86_400_000_000L, 999_999_999_999_999L}) {
            DelayHistogram delays = new DelayHistogram();
            delays.add(Duration.ofNanos(1_000).multipliedBy(micros));
            assertThat(delays.millis(0.5)).isCloseTo(micros / 1_000.0, within(micros * 0.044 / 1_000));
        }
    }

    @Test
    void rareSlowOneIsInThe99thPercentileAndNotInTheMedian() {
        DelayHistogram delays = new DelayHistogram();
        for (int i = 0; i < 98; i++) {
            delays.add(Duration.ofMillis(10));
        }
        delays.add(Duration.ofSeconds(5));
        delays.add(Duration.ofSeconds(5));
        assertThat(delays.millis(0.5)).isCloseTo(10, within(0.5));
        assertThat(delays.millis(0.99)).isCloseTo(5_000, within(220.0));
    }

    private static final class SettableClock extends Clock {
        private Instant now = START;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
