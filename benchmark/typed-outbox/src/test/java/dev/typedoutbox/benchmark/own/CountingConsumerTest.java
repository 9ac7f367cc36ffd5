package dev.typedoutbox.benchmark.own;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.ApplyOutcome;
import dev.typedoutbox.consumer.EventConsumer;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CountingConsumerTest {
    private static final OutboxEvent NEW = event("new");
    private static final OutboxEvent KNOWN = event("known");
    private static final OutboxEvent FAULTY = event("faulty");

    private final CountingConsumer consumer = new CountingConsumer(new EventConsumer() {
        @Override
        public Applied apply(OutboxEvent event) {
            if (event.equals(FAULTY)) {
                throw new IllegalStateException("faulty");
            }
            return event.equals(KNOWN) ? Applied.DUPLICATE : Applied.APPLIED;
        }
    });

    @Test
    void appliedAndKnownEventsCountEachForItself() {
        consumer.apply(NEW);
        consumer.apply(KNOWN);

        assertThat(consumer.done()).isEqualTo(2);
    }

    @Test
    void failureDoesNotCount() {
        assertThatIllegalStateException().isThrownBy(() -> consumer.apply(FAULTY));

        assertThat(consumer.done()).isZero();
    }

    @Test
    void ofSeveralThoseCountThatAreDone() {
        List<ApplyOutcome> outcomes = consumer.applyAll(List.of(NEW, KNOWN, FAULTY, FAULTY));

        assertThat(outcomes).hasSize(4);
        assertThat(consumer.done()).isEqualTo(2);
    }

    private static OutboxEvent event(String aggregateId) {
        return OutboxEvent.builder(UUID.randomUUID())
                .aggregate("order", aggregateId, 1)
                .build();
    }
}
