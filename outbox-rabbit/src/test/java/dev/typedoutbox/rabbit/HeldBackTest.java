package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class HeldBackTest {
    private static final long HOUR = Duration.ofHours(1).toNanos();
    private static final int ALL = 100;
    private static final int NONE_BEFORE = 0;
    private static final int SUSPICIOUS = 2;

    private final HeldBack heldBack = new HeldBack();
    private final Received first = message(1, "a", NONE_BEFORE);
    private final Received second = message(2, "a", NONE_BEFORE);
    private final Received ofAnother = message(3, "b", NONE_BEFORE);

    @Test
    void messagesThatAreDueComeInTheOrderOfTheirLine() {
        heldBack.append(second);
        heldBack.putFirst(first, 0);

        assertThat(heldBack.isHeld(first.line())).isTrue();
        assertThat(heldBack.takeDue(ALL)).containsExactly(first, second);
        assertThat(heldBack.isHeld(first.line())).isFalse();
    }

    @Test
    void lineThatWaitsKeepsNoOtherWaiting() {
        heldBack.putFirst(first, HOUR);
        heldBack.append(second);
        heldBack.putFirst(ofAnother);

        assertThat(heldBack.takeDue(ALL)).containsExactly(ofAnother);
        assertThat(heldBack.isHeld(first.line())).isTrue();
        assertThat(heldBack.nanosToNext(2 * HOUR)).isBetween(1L, HOUR);
        assertThat(heldBack.nanosToNext(1)).isEqualTo(1);
    }

    @Test
    void thoseBehindAMessageThatIsReleasedGoOnAtOnce() {
        heldBack.putFirst(first, HOUR);
        heldBack.append(second);

        heldBack.release(first);

        assertThat(heldBack.takeDue(ALL)).containsExactly(second);
    }

    @Test
    void thoseBehindAMessageThatIsRemovedWaitAsBefore() {
        heldBack.putFirst(first, HOUR);
        heldBack.append(second);

        heldBack.remove(first);

        assertThat(heldBack.takeDue(ALL)).isEmpty();
        assertThat(heldBack.isHeld(second.line())).isTrue();
    }

    @Test
    void lineWhoseLastMessageIsReleasedIsHeldNoLonger() {
        heldBack.putFirst(first, HOUR);

        heldBack.release(first);

        assertThat(heldBack.isHeld(first.line())).isFalse();
        assertThat(heldBack.nanosToNext(HOUR)).isEqualTo(HOUR);
    }

    @Test
    void noMoreAreTakenThanFitAndTheRestStays() {
        heldBack.putFirst(first);
        heldBack.append(second);
        heldBack.append(ofAnother);

        assertThat(heldBack.takeDue(1)).containsExactly(first);
        assertThat(heldBack.takeDue(ALL)).containsExactly(second, ofAnother);
    }

    @Test
    void suspectComesAlone() {
        Received suspect = message(4, "a", SUSPICIOUS);
        heldBack.append(first);
        heldBack.append(suspect);
        heldBack.append(second);
        heldBack.append(ofAnother);

        assertThat(heldBack.takeDue(ALL)).containsExactly(first);
        assertThat(heldBack.takeDue(ALL)).containsExactly(suspect);
        assertThat(heldBack.takeDue(ALL)).containsExactly(second, ofAnother);
    }

    @Test
    void messagesWithoutAnAggregateKeepNoOrder() {
        heldBack.putFirst(message(5, "", NONE_BEFORE), HOUR);

        assertThat(heldBack.isHeld(message(6, "", NONE_BEFORE).line())).isFalse();
    }

    private static Received message(long tag, String aggregateId, int earlierDeliveries) {
        BasicProperties properties = new BasicProperties.Builder()
                .messageId(UUID.randomUUID().toString())
                .headers(Map.of("aggregate_id", aggregateId, "x-delivery-count", earlierDeliveries))
                .build();
        Envelope envelope = new Envelope(tag, earlierDeliveries > 0, "orders", "order.changed");
        return Received.of(new Delivery(envelope, properties, "{}".getBytes(StandardCharsets.UTF_8)));
    }
}
