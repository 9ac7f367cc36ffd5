package dev.typedoutbox.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Collection;
import org.junit.jupiter.api.Test;

class FailedEventsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final FailedEvents failed = new FailedEvents(registry);

    @Test
    void bothLabelsThatAreNoTypesAreThereFromTheStart() {
        assertThat(counters()).extracting(FailedEventsTest::type).containsExactlyInAnyOrder("other", "unread");
        failed.countUnread(3);
        failed.countUnread(-1);
        assertThat(count("unread")).isEqualTo(3);
    }

    @Test
    void typesBeyondTheLimitAreOthers() {
        for (int i = 0; i < FailedEvents.MOST_TYPES + 50; i++) {
            failed.count("type " + i);
            failed.count("type " + i);
        }
        failed.count("type 0");

        assertThat(counters()).hasSize(FailedEvents.MOST_TYPES + 2);
        assertThat(count("type 0")).isEqualTo(3);
        assertThat(count("other")).isEqualTo(100);
    }

    @Test
    void allThatUseOneRegistryShareTheLimit() {
        for (int round = 0; round < 5; round++) {
            FailedEvents another = new FailedEvents(registry);
            another.count("common");
            for (int i = 0; i < 40; i++) {
                another.count("type " + i + " of round " + round);
            }
        }

        assertThat(counters()).hasSize(FailedEvents.MOST_TYPES + 2);
        assertThat(count("common")).isEqualTo(5);
        assertThat(count("other")).isEqualTo(5 * 40 - (FailedEvents.MOST_TYPES - 1));
    }

    @Test
    void longTypeIsCut() {
        failed.count("😀".repeat(150));

        assertThat(count("😀".repeat(100))).isEqualTo(1);
    }

    private Collection<Counter> counters() {
        return registry.find("outbox.events.failed").counters();
    }

    private double count(String type) {
        return registry.get("outbox.events.failed")
                .tag("event_type", type)
                .counter()
                .count();
    }

    private static String type(Counter counter) {
        return String.valueOf(counter.getId().getTag("event_type"));
    }
}
