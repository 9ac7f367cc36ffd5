package dev.typedoutbox.benchmark.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.benchmark.contender.Backlog;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FeedTest {
    private static final int EVENTS = 10_000;
    private static final Backlog BACKLOG = new Backlog(EVENTS, 100, 10);

    private final Feed once = Feed.once(BACKLOG);
    private final Feed withCopies = Feed.withCopies(BACKLOG);

    @Test
    void eachEventIsPublishedOnceAndInOrder() {
        assertThat(once.numbers().toArray())
                .isEqualTo(LongStream.range(0, EVENTS).toArray());
        assertThat(once.messages()).isEqualTo(EVENTS);
    }

    @Test
    void threeOfTenEventsArePublishedTwice() {
        int[] messages = new int[EVENTS];
        withCopies.numbers().forEach(number -> messages[(int) number]++);

        assertThat(Arrays.copyOf(messages, 10)).containsExactly(2, 2, 2, 1, 1, 1, 1, 1, 1, 1);
        assertThat(Arrays.stream(messages).filter(count -> count == 2)).hasSize(3 * EVENTS / 10);
        assertThat(withCopies.messages()).isEqualTo(13 * EVENTS / 10);
    }

    @Test
    void copiesComeAtOnceAndSoonAndLate() {
        long[] numbers = withCopies.numbers().toArray();

        assertThat(messagesBetween(numbers, 0)).isEqualTo(1);
        assertThat(messagesBetween(numbers, 1)).isBetween(50, 70);
        assertThat(messagesBetween(numbers, 2)).isBetween(5_000, 7_000);
    }

    @Test
    void firstMessagesOfEventsAreInOrder() {
        assertThat(withCopies.numbers().distinct().toArray())
                .isEqualTo(LongStream.range(0, EVENTS).toArray());
    }

    @Test
    void idTellsItsNumber() {
        assertThat(once.id(0)).isNotEqualTo(once.id(4096));
        assertThat(once.number(once.id(0))).isZero();
        assertThat(once.number(once.id(EVENTS - 1))).isEqualTo(EVENTS - 1);
    }

    @Test
    void idThatWasNotPublishedHasNoNumber() {
        UUID id = once.id(7);

        assertThat(once.number(once.id(EVENTS))).isEqualTo(Feed.UNKNOWN);
        assertThat(once.number(new UUID(id.getMostSignificantBits() + 1, id.getLeastSignificantBits())))
                .isEqualTo(Feed.UNKNOWN);
        assertThat(once.number(UUID.randomUUID())).isEqualTo(Feed.UNKNOWN);
    }

    private static int messagesBetween(long[] numbers, long number) {
        int[] places = LongStream.range(0, numbers.length)
                .filter(place -> numbers[(int) place] == number)
                .mapToInt(place -> (int) place)
                .toArray();
        return places[1] - places[0];
    }
}
