package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A handler that takes longer than RabbitMQ waits for an acknowledgement. */
class SlowHandlerTest {
    private static final Duration NOTICED = Duration.ofSeconds(20);

    private final Broker broker = BreakableServers.broker();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");

    /** The defaults are half an hour, looked after every minute; a channel has what they were when it was opened. */
    @BeforeEach
    void letRabbitMqWaitForASecond() {
        wait(1_000, 500);
    }

    @AfterEach
    void letRabbitMqWaitAsLongAsEver() {
        wait(1_800_000, 60_000);
    }

    @Test
    void eventThatIsTakenBackFromASlowHandlerIsADuplicateWhenItComesAgain() throws Exception {
        CountDownLatch handling = new CountDownLatch(1);
        CountDownLatch takenBack = new CountDownLatch(1);
        List<Applied> applied = new CopyOnWriteArrayList<>();
        try (OutboxDatabase database = OutboxDatabase.create()) {
            database.execute("create table effects (event_id uuid)");
            IdempotentConsumer consumer = IdempotentConsumer.create(database.dataSource(), "slow", (tx, event) -> {
                tx.execute("insert into effects values (?)", event.id());
                handling.countDown();
                takenBack.await();
            });
            broker.publish(exchange, Events.many(1, "order.created"));
            try (RabbitConsumer receiver = RabbitConsumer.builder(broker.factory(), queue, event -> {
                        Applied result = consumer.apply(event);
                        applied.add(result);
                        return result;
                    })
                    .build()) {
                receiver.start();
                handling.await();
                await().atMost(NOTICED).until(() -> broker.ready(queue) == 1);
                takenBack.countDown();
                await().atMost(NOTICED).until(() -> applied.size() == 2);
            }
            assertThat(applied).containsExactly(Applied.APPLIED, Applied.DUPLICATE);
            assertThat(database.count("effects")).isEqualTo(1);
        }
        assertThat(broker.take(queue)).isEmpty();
    }

    private void wait(int millis, int lookedAfter) {
        broker.server()
                .evaluate("application:set_env(rabbit, consumer_timeout, " + millis
                        + "), application:set_env(rabbit, channel_tick_interval, " + lookedAfter + ").");
    }
}
