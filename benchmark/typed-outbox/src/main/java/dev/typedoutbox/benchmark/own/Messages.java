package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.AMQP.BasicProperties;
import dev.typedoutbox.benchmark.contender.Event;
import java.time.Instant;
import java.util.Date;
import java.util.Map;

/** Messages with the same properties as those of Typed Outbox. */
final class Messages {
    private static final int PERSISTENT = 2;

    private Messages() {}

    static BasicProperties properties(String id, Event event, Instant createdAt) {
        Map<String, Object> headers = Map.of(
                "aggregate_type", event.aggregateType(), "aggregate_id", event.aggregateId(), "seq", event.number());
        return new BasicProperties.Builder()
                .messageId(id)
                .type(event.type())
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .timestamp(Date.from(createdAt))
                .headers(headers)
                .build();
    }
}
