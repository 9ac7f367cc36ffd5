package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.QUICK_RETRY;
import static dev.typedoutbox.relay.RelayFixture.drain;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import org.junit.jupiter.api.Test;

/** Failures that have more to say than anybody reads: neither the record nor the log of one becomes a failure itself. */
class LongReasonTest {
    private static final int LENGTH = 500 * 1024;

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final LogRecorder log = new LogRecorder();

    @Test
    void longReasonOfTheBrokerIsCutInTheRowAndInTheLog() {
        database.insertEvents(1, 1);
        publisher.answer(event -> PublishOutcome.refused("x".repeat(LENGTH)));

        assertThatOneDiesWithAShortReason("xxx");
    }

    @Test
    void longReasonOfTheDatabaseIsCutInTheRowAndInTheLog() {
        database.insertEvents(1, 1);
        database.execute("create function refuse() returns trigger language plpgsql as $$ begin"
                + " if new.processed_at is not null then raise '%', repeat('x', " + LENGTH + "); end if;"
                + " return new; end $$");
        database.execute("create trigger refuse before update on outbox_events for each row execute function refuse()");

        assertThatOneDiesWithAShortReason("it was published, but could not be marked");
    }

    private void assertThatOneDiesWithAShortReason(String start) {
        try (log) {
            drain(database, publisher, quick().workers(1).retryPolicy(QUICK_RETRY));
        }
        assertThat(publisher.sent()).hasSize(QUICK_RETRY.maxAttempts());
        assertThat(DeadLetters.of(database.dataSource()).list(10))
                .singleElement()
                .satisfies(letter ->
                        assertThat(letter.lastError()).startsWith(start).hasSize(2000));
        assertThat(log.lines()).isNotEmpty().allSatisfy(line -> assertThat(line).hasSizeLessThan(3000));
    }
}
