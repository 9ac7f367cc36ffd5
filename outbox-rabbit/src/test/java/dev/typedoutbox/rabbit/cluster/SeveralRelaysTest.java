package dev.typedoutbox.rabbit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Ledger;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SeveralRelaysTest {
    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, "#");

    @Test
    void twoRelaysPublishTenThousandEventsOnceEachAndInOrder() {
        RelayConfig config = RelayConfig.builder().batchSize(100).build();
        try (OutboxDatabase database = OutboxDatabase.create();
                RabbitPublisher first = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
                RabbitPublisher second = RabbitPublisher.create(broker.factory(), Routing.toExchange(exchange));
                Relay one = Relay.create(database.dataSource(), first, config);
                Relay two = Relay.create(database.dataSource(), second, config)) {
            List<UUID> committed = database.write(10_000, 500, "order.changed");
            one.start();
            two.start();
            await().atMost(Duration.ofMinutes(1)).until(() -> database.pending() == 0);

            Ledger ledger = new Ledger();
            ledger.addAll(broker.take(queue));
            assertThat(ledger.lost(committed)).isEmpty();
            assertThat(ledger.deliveries()).isEqualTo(10_000);
            assertThat(ledger.duplicates()).isZero();
            assertThat(ledger.orderViolations()).isZero();
        }
    }
}
