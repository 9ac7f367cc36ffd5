package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PendingConfirmsTest {
    private static final PublishOutcome CONFIRMED = PublishOutcome.confirmed();
    private static final PublishOutcome NACKED = PublishOutcome.nacked("nacked");

    private final List<OutboxEvent> events = Events.many(5, "t");
    private final PendingConfirms confirms = new PendingConfirms(events);

    @Test
    void singleConfirmsMayComeInAnyOrder() throws InterruptedException {
        sendAll(1);
        for (long tag : new long[] {3, 1, 5, 2, 4}) {
            confirms.confirmed(tag, false, CONFIRMED);
        }
        assertThat(isComplete()).isTrue();
        assertThat(kinds()).containsOnly(Kind.CONFIRMED);
    }

    @Test
    void multipleConfirmsAllUpToItsTag() throws InterruptedException {
        sendAll(11);
        confirms.confirmed(13, true, CONFIRMED);
        assertThat(kinds()).containsExactly(Kind.CONFIRMED, Kind.CONFIRMED, Kind.CONFIRMED, Kind.UNKNOWN, Kind.UNKNOWN);
        confirms.confirmed(15, true, NACKED);
        assertThat(kinds()).containsExactly(Kind.CONFIRMED, Kind.CONFIRMED, Kind.CONFIRMED, Kind.REFUSED, Kind.REFUSED);
        assertThat(isComplete()).isTrue();
    }

    @Test
    void nackWithinAMultipleAckStands() {
        sendAll(1);
        confirms.confirmed(2, false, NACKED);
        confirms.confirmed(5, true, CONFIRMED);
        assertThat(kinds())
                .containsExactly(Kind.CONFIRMED, Kind.REFUSED, Kind.CONFIRMED, Kind.CONFIRMED, Kind.CONFIRMED);
    }

    @Test
    void returnWinsOverTheConfirmThatFollows() {
        sendAll(1);
        confirms.returned(events.get(3).id().toString(), "no route");
        confirms.confirmed(5, true, CONFIRMED);
        assertThat(kinds())
                .containsExactly(Kind.CONFIRMED, Kind.CONFIRMED, Kind.CONFIRMED, Kind.REFUSED, Kind.CONFIRMED);
        assertThat(confirms.outcome(3)).isEqualTo(PublishOutcome.returned("no route"));
    }

    @Test
    void returnOfAnUnknownMessageBlamesNobody() {
        sendAll(1);
        confirms.returned("not one of them", "no route");
        confirms.confirmed(5, true, CONFIRMED);
        assertThat(kinds()).containsOnly(Kind.CONFIRMED);
    }

    @Test
    void eventThatWasNotSentTakesNoTag() {
        confirms.sending(0, 1);
        confirms.refuse(1, "cannot be sent");
        confirms.sending(2, 2);
        confirms.confirmed(2, false, CONFIRMED);
        assertThat(kinds()).containsExactly(Kind.UNKNOWN, Kind.REFUSED, Kind.CONFIRMED, Kind.UNKNOWN, Kind.UNKNOWN);
    }

    @Test
    void confirmsOfAnEarlierGroupConfirmNothing() {
        sendAll(100);
        confirms.confirmed(99, true, CONFIRMED);
        confirms.confirmed(99, false, CONFIRMED);
        assertThat(kinds()).containsOnly(Kind.UNKNOWN);
    }

    @Test
    void endLeavesTheVerdictsThatCameBefore() throws InterruptedException {
        sendAll(1);
        confirms.confirmed(2, true, CONFIRMED);
        confirms.end("connection lost");
        confirms.confirmed(5, true, CONFIRMED);
        assertThat(isComplete()).isTrue();
        assertThat(kinds()).containsExactly(Kind.CONFIRMED, Kind.CONFIRMED, Kind.UNKNOWN, Kind.UNKNOWN, Kind.UNKNOWN);
        assertThat(confirms.outcome(4).reason()).isEqualTo("connection lost");
    }

    @Test
    void waitEndsAtItsBoundWhenAVerdictIsMissing() throws InterruptedException {
        sendAll(1);
        confirms.confirmed(4, true, CONFIRMED);
        assertThat(isComplete()).isFalse();
    }

    private void sendAll(long firstTag) {
        IntStream.range(0, events.size()).forEach(i -> confirms.sending(i, firstTag + i));
    }

    private boolean isComplete() throws InterruptedException {
        return confirms.await(Duration.ofMillis(1));
    }

    private List<Kind> kinds() {
        return IntStream.range(0, events.size())
                .mapToObj(i -> confirms.outcome(i).kind())
                .toList();
    }
}
