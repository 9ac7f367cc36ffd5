package dev.typedoutbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InMemoryPublisherTest {
    private static final PublishOutcome NACKED = PublishOutcome.nacked("out of disk space");
    private static final PublishOutcome RETURNED = PublishOutcome.returned("no queue takes it");

    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final OutboxEvent created = event("order.created");
    private final OutboxEvent paid = event("order.paid");

    @Test
    void publishedIsWhatWasConfirmedAndSentIsEverything() {
        publisher.answer("order.paid", RETURNED);

        assertThat(publish(created, paid, created))
                .containsExactly(PublishOutcome.confirmed(), RETURNED, PublishOutcome.confirmed());
        assertThat(publisher.published()).containsExactly(created, created);
        assertThat(publisher.sent()).containsExactly(created, paid, created);
    }

    @Test
    void answerToOneTypeLeavesTheOthersAsTheyWere() {
        publisher.answer(NACKED);
        publisher.answer("order.paid", PublishOutcome.confirmed());
        publisher.answer("order.created", RETURNED);

        assertThat(publish(created, paid, event("order.sent")))
                .containsExactly(RETURNED, PublishOutcome.confirmed(), NACKED);
    }

    @Test
    void confirmThatNobodyHeardIsPublishedAllTheSame() {
        publisher.setSilent(true);

        assertThat(publish(created)).extracting(PublishOutcome::kind).containsExactly(PublishOutcome.Kind.UNKNOWN);
        assertThat(publisher.published()).containsExactly(created);
    }

    @Test
    void resetBrokerIsAsItWasAtTheBeginning() {
        publisher.answer(NACKED);
        publish(created);
        publisher.setAvailable(false);
        publisher.setBlocked(true);
        publisher.setSilent(true);

        publisher.reset();

        assertThat(publisher.sent()).isEmpty();
        assertThat(publisher.sendings()).isEmpty();
        assertThat(publish(paid)).containsExactly(PublishOutcome.confirmed());
        assertThat(publisher.published()).containsExactly(paid);
    }

    @Test
    void resetDoesNotOpenWhatWasClosed() {
        publisher.close();
        publisher.reset();

        assertThatThrownBy(publisher::open).isInstanceOf(PublisherUnavailableException.class);
    }

    private List<PublishOutcome> publish(OutboxEvent... events) {
        try (PublisherSession session = publisher.open()) {
            return session.publish(List.of(events), Duration.ofMillis(10));
        }
    }

    private static OutboxEvent event(String type) {
        return OutboxEvent.builder(UUID.randomUUID()).eventType(type).build();
    }
}
