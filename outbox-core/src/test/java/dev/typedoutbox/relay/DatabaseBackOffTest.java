package dev.typedoutbox.relay;

import static dev.typedoutbox.relay.RelayFixture.awaitPending;
import static dev.typedoutbox.relay.RelayFixture.eventually;
import static dev.typedoutbox.relay.RelayFixture.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.support.LogRecorder;
import dev.typedoutbox.support.OutboxDatabase;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A database that does not do its work is asked again and again, but neither without pause nor with a line each time. */
class DatabaseBackOffTest {
    /** Waits of at least 50, 100, 200, 400, 800, 1,600 and then 2,500 ms each time. */
    private static final Duration AWAY = Duration.ofSeconds(5);

    private static final int MOST_TRIES_OF_A_WORKER = 8;

    private final OutboxDatabase database = OutboxDatabase.create();
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final AtomicInteger connections = new AtomicInteger();

    @Test
    void tableThatIsAwayIsLookedForWithGrowingPausesAndMissedInOneLine() {
        RelayConfig config = quick().workers(2).build();
        try (LogRecorder log = new LogRecorder();
                Relay relay = Relay.create(counted(), publisher, config)) {
            relay.start();
            eventually(() -> relay.state() == RelayState.RUNNING);
            database.execute("alter table outbox_events rename to hidden");
            eventually(() -> relay.state() == RelayState.WAITING_FOR_DATABASE);
            int before = connections.get();
            await().during(AWAY)
                    .atMost(AWAY.multipliedBy(2))
                    .until(() -> relay.state() == RelayState.WAITING_FOR_DATABASE);
            assertThat(connections.get() - before).isBetween(2, config.workers() * MOST_TRIES_OF_A_WORKER);
            assertThat(log.lines()).singleElement().asString().startsWith("relay is WAITING_FOR_DATABASE: ");

            database.execute("alter table hidden rename to outbox_events");
            database.insertEvents(10, 10);
            awaitPending(database, 0);
        }
        assertThat(publisher.sent()).hasSize(10);
    }

    private DataSource counted() {
        return (DataSource) Proxy.newProxyInstance(
                DataSource.class.getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, args) -> {
                    connections.incrementAndGet();
                    return method.invoke(database.dataSource(), args);
                });
    }
}
