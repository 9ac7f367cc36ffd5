package dev.typedoutbox.deploy;

import static dev.typedoutbox.deploy.RestorableDatabase.column;
import static dev.typedoutbox.deploy.RestorableDatabase.execute;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.QueueTopology;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.servers.AmqpServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What docs/operations.md says of backups: a service's database and that of a consumer, each restored without the other. */
class RestoreTest {
    private static final String EFFECTS = "select event_id from effects";
    private static final String SEND_AGAIN = """
            update outbox_events set processed_at = null
            where processed_at > timestamptz '2026-01-31 12:00+00'
              and (last_error is null or last_error not like 'discarded: %');
            """;
    private static final String SET_SEQUENCE = """
            select setval(pg_get_serial_sequence('outbox_events', 'seq'),
                          (select max(seq) from outbox_events));
            """;

    private final String name = "restore-" + UUID.randomUUID();
    private final RestorableDatabase orders = new RestorableDatabase("orders");
    private final RestorableDatabase shipping = new RestorableDatabase("shipping");
    private final ConnectionFactory rabbit = new ConnectionFactory();

    @BeforeEach
    void declare() throws Exception {
        rabbit.setUri(AmqpServer.shared().uri());
        QueueTopology.Builder topology = QueueTopology.builder(name).boundTo(name + "-events", "#");
        (AmqpServer.shared().isRabbitMq() ? topology : topology.classic())
                .build()
                .declare(rabbit);
        execute(shipping.dataSource(), "create table effects (event_id uuid)");
    }

    @AfterEach
    void removeCopies() {
        orders.close();
        shipping.close();
    }

    @Test
    void whatWasPublishedAfterTheBackupIsSentAgainWithItsIdsAndDropped() throws Exception {
        Deliveries deliveries = new Deliveries(shippingIn(shipping.dataSource()));
        try (RabbitConsumer consumer = start(deliveries)) {
            List<String> published = write(orders.dataSource(), 10);
            publish(orders.dataSource());
            List<String> pending = write(orders.dataSource(), 10);
            DataSource restored = orders.backUp();
            publish(orders.dataSource());
            await().until(() -> deliveries.ids().size() == 20);

            assertThat(publish(restored)).isEqualTo(10);

            await().until(() -> deliveries.ids().size() == 30);
            assertThat(deliveries.ids().subList(20, 30)).containsExactlyInAnyOrderElementsOf(pending);
            assertThat(column(shipping.dataSource(), EFFECTS))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(published.stream(), pending.stream()).toList());
        }
    }

    @Test
    void whatWasWrittenAfterTheBackupIsKnownToConsumersAloneAndItsNumberIsDrawnAgain() throws Exception {
        Deliveries deliveries = new Deliveries(shippingIn(shipping.dataSource()));
        try (RabbitConsumer consumer = start(deliveries)) {
            DataSource restored = orders.backUp();
            String lost = write(orders.dataSource(), 1).get(0);
            publish(orders.dataSource());

            String next = write(restored, 1).get(0);
            publish(restored);

            await().until(() -> deliveries.ids().size() == 2);
            assertThat(column(shipping.dataSource(), EFFECTS)).containsExactly(lost, next);
            assertThat(column(restored, "select id from outbox_events")).containsExactly(next);
            assertThat(column(restored, "select seq from outbox_events"))
                    .isEqualTo(column(orders.dataSource(), "select seq from outbox_events"));
        }
    }

    @Test
    void aRestoredConsumerIsGivenWhatItLostWhenPublishedRowsAreMadePendingAgain() throws Exception {
        List<String> written = write(orders.dataSource(), 5);
        publishTo(shipping.dataSource(), 5);
        DataSource restored = shipping.backUp();
        written = Stream.concat(written.stream(), write(orders.dataSource(), 5).stream())
                .toList();
        publishTo(shipping.dataSource(), 5);
        assertThat(column(shipping.dataSource(), EFFECTS)).hasSize(10);
        discardOne();

        assertThat(execute(orders.dataSource(), SEND_AGAIN)).isEqualTo(10);
        publishTo(restored, 10);

        assertThat(column(restored, EFFECTS)).containsExactlyInAnyOrderElementsOf(written);
        assertThat(documentation()).contains(SEND_AGAIN);
    }

    @Test
    void rowsThatWereCopiedWithoutTheirSequenceComeBeforeNewOnesOnceItIsSet() throws Exception {
        List<String> copied = write(orders.dataSource(), 3);
        execute(orders.dataSource(), "alter sequence outbox_events_seq_seq restart");

        execute(orders.dataSource(), SET_SEQUENCE);

        List<String> written = write(orders.dataSource(), 1);
        assertThat(column(orders.dataSource(), "select id from outbox_events order by seq"))
                .containsExactlyElementsOf(
                        Stream.concat(copied.stream(), written.stream()).toList());
        assertThat(documentation()).contains(SET_SEQUENCE);
    }

    /** A dead letter that an operator discarded: it must stay what it is. */
    private void discardOne() throws Exception {
        String id = write(orders.dataSource(), 1).get(0);
        execute(
                orders.dataSource(),
                "update outbox_events set processed_at = now(), last_error = 'discarded: a test' where id = '" + id
                        + "'");
    }

    private static IdempotentConsumer shippingIn(DataSource dataSource) {
        return IdempotentConsumer.create(
                dataSource, "shipping", (tx, event) -> tx.execute("insert into effects values (?)", event.id()));
    }

    private RabbitConsumer start(Deliveries deliveries) {
        RabbitConsumer consumer = RabbitConsumer.builder(rabbit, name, deliveries)
                .rejectDeadLetters()
                .build();
        consumer.start();
        return consumer;
    }

    private static List<String> write(DataSource outbox, int number) throws Exception {
        List<NewEvent> events = IntStream.range(0, number)
                .mapToObj(i -> NewEvent.of("order", "order-" + i, "order.placed", i))
                .toList();
        try (Connection tx = outbox.getConnection()) {
            tx.setAutoCommit(false);
            List<UUID> ids = Outbox.create().publishAll(tx, events);
            tx.commit();
            return ids.stream().map(UUID::toString).toList();
        }
    }

    /** Publishes all that is pending, and tells how much it was. */
    private int publish(DataSource outbox) throws Exception {
        try (RabbitPublisher publisher = RabbitPublisher.create(rabbit, Routing.toExchange(name + "-events"));
                Relay relay = Relay.create(outbox, publisher)) {
            int published = 0;
            for (BatchResult batch = relay.runOnce(); batch.fetched() > 0; batch = relay.runOnce()) {
                published += batch.published();
            }
            return published;
        }
    }

    /** Publishes all that is pending, with a consumer at work until it has dealt with so many. */
    private void publishTo(DataSource consumerDatabase, int deliveries) throws Exception {
        Deliveries received = new Deliveries(shippingIn(consumerDatabase));
        try (RabbitConsumer consumer = start(received)) {
            assertThat(publish(orders.dataSource())).isEqualTo(deliveries);
            await().until(() -> received.ids().size() == deliveries);
        }
    }

    private static String documentation() throws Exception {
        return Files.readString(Path.of("../docs/operations.md"));
    }
}
