package dev.typedoutbox.benchmark.harness;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import dev.typedoutbox.benchmark.contender.Event;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.UUID;

/** Publishes a feed as Typed Outbox would, with confirms. How fast that goes is of no interest. */
final class FeedPublisher {
    private static final int PERSISTENT = 2;
    private static final int UNCONFIRMED = 1_000;
    private static final Duration LONGEST_CONFIRM = Duration.ofMinutes(1);

    private final Channel channel;
    private final String exchange;
    private final Instant now = Instant.now();

    FeedPublisher(Channel channel, String exchange) {
        this.channel = channel;
        this.exchange = exchange;
    }

    void publish(Feed feed) throws Exception {
        channel.confirmSelect();
        PrimitiveIterator.OfLong numbers = feed.numbers().iterator();
        for (int published = 1; numbers.hasNext(); published++) {
            long number = numbers.nextLong();
            Event event = feed.events().event(number);
            channel.basicPublish(
                    exchange,
                    event.type(),
                    properties(feed.id(number), event),
                    event.payload().getBytes(StandardCharsets.UTF_8));
            if (published % UNCONFIRMED == 0) {
                channel.waitForConfirmsOrDie(LONGEST_CONFIRM.toMillis());
            }
        }
        channel.waitForConfirmsOrDie(LONGEST_CONFIRM.toMillis());
    }

    private BasicProperties properties(UUID id, Event event) {
        return new BasicProperties.Builder()
                .messageId(id.toString())
                .type(event.type())
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .timestamp(Date.from(now))
                .headers(Map.of(
                        "aggregate_type",
                        event.aggregateType(),
                        "aggregate_id",
                        event.aggregateId(),
                        "seq",
                        event.number()))
                .build();
    }
}
