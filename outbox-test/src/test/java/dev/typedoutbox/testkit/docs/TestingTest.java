package dev.typedoutbox.testkit.docs;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatTransaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.cleanup.PublishedEvents;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherUnavailableException;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.BrokerExtension;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import dev.typedoutbox.testkit.outbox.SteppableRelay;
import dev.typedoutbox.testkit.outbox.TestOutbox;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of docs/testing.md. */
class TestingTest {

    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
            .setUp(dataSource ->
                    Flyway.configure().dataSource(dataSource).load().migrate()) // your tables
            .build();

    @RegisterExtension
    static final BrokerExtension BROKER = BrokerExtension.create();

    private final DSLContext dsl = DSL.using(DATABASE.dataSource(), SQLDialect.POSTGRES);
    private final Orders orders = new Orders(dsl);

    record Order(String id, BigDecimal total) {}

    /** The application. */
    private record Orders(DSLContext dsl) {
        void place(Order order) {
            dsl.transaction((Configuration tx) -> place(tx, order));
        }

        void place(Configuration tx, Order order) {
            tx.dsl().execute("insert into orders values (?, ?)", order.id(), order.total());
            Outbox.create().publish(tx, NewEvent.of("order", order.id(), "order.created", order));
        }
    }

    @BeforeEach
    void emptyOrders() {
        dsl.truncate("orders").execute();
    }

    @Test
    void placedOrderWritesItsEvent() {
        orders.place(new Order("42", new BigDecimal("19.90")));

        assertThatOutbox(DATABASE.dataSource())
                .hasEvent("order.created")
                .forAggregate("order", "42")
                .withPayload("{\"id\": \"42\", \"total\": 19.90}")
                .once();
    }

    @Test
    void failureIsShownAsItIs() throws IOException {
        orders.place(new Order("41", new BigDecimal("5.00")));

        AssertionError failure = catchThrowableOfType(
                AssertionError.class,
                () -> assertThatOutbox(DATABASE.dataSource())
                        .hasEvent("order.created")
                        .forAggregate("order", "42"));

        assertThat(Files.readString(Path.of("../docs/testing.md"))).contains("```\n" + failure.getMessage() + "\n```");
    }

    @Test
    void transactionIsAssertedOnWhileItIsOpen() {
        dsl.transaction(tx -> {
            orders.place(tx, new Order("42", new BigDecimal("19.90")));

            assertThatTransaction(tx).hasEvent("order.created").forAggregate("order", "42");
            assertThatOutbox(DATABASE.dataSource()).isEmpty(); // nobody else sees it yet
        });
    }

    @Test
    void placedOrderIsPublished() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        SteppableRelay relay = SteppableRelay.create(DATABASE.dataSource(), publisher);
        orders.place(new Order("42", new BigDecimal("19.90")));

        relay.publishDue();

        assertThatEvents(publisher.published()).hasExactlyTypes("order.created");
        assertThatOutbox(DATABASE.dataSource()).pending().isEmpty();
    }

    @Test
    void refusedEventIsTriedAgain() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        SteppableRelay relay = SteppableRelay.create(DATABASE.dataSource(), publisher);
        TestOutbox outbox = DATABASE.outbox();
        orders.place(new Order("42", new BigDecimal("19.90")));
        publisher.answer("order.created", PublishOutcome.returned("no queue takes it"));
        relay.publishDue();
        assertThatOutbox(outbox).waiting().hasEvent("order.created");

        outbox.makeRetriesDue(); // as if the retry had waited long enough
        relay.publishDue(); // the second attempt

        relay.drain(); // all attempts that are left
        assertThatOutbox(outbox).dead().hasEvent("order.created");
        assertThat(outbox.events().get(0).attempts()).isEqualTo(8);
    }

    @Test
    void outageIsWaitedOut() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        SteppableRelay relay = SteppableRelay.create(DATABASE.dataSource(), publisher);
        orders.place(new Order("42", new BigDecimal("19.90")));
        publisher.setAvailable(false);
        assertThatThrownBy(relay::publishDue).isInstanceOf(PublisherUnavailableException.class);
        publisher.setAvailable(true);
        relay.publishDue();
        assertThatEvents(publisher.published()).hasSize(1);
    }

    @Test
    void timePasses() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        SteppableRelay relay = SteppableRelay.create(DATABASE.dataSource(), publisher);
        orders.place(new Order("42", new BigDecimal("19.90")));
        relay.publishDue();
        DATABASE.outbox().letTimePass(Duration.ofDays(8));
        long purged = PublishedEvents.create(DATABASE.dataSource()).purge(Duration.ofDays(7));
        assertThat(purged).isEqualTo(1);
    }

    @Test
    void outboxIsEmptied() {
        orders.place(new Order("42", new BigDecimal("19.90")));
        DataSource dataSource = DATABASE.dataSource();
        TestOutbox.of(dataSource).empty();
        assertThatOutbox(dataSource).isEmpty();
    }

    @Test
    void brokerIsReached() throws Exception {
        ConnectionFactory rabbit = new ConnectionFactory();
        rabbit.setUri(BROKER.uri());
        String exchange = BROKER.uniqueName("orders"); // all tests share the broker
        try (var connection = rabbit.newConnection();
                var channel = connection.createChannel()) {
            channel.exchangeDeclare(exchange, "topic", false, true, Map.of());
        }
    }
}
