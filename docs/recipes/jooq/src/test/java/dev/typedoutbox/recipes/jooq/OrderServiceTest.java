package dev.typedoutbox.recipes.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OrderServiceTest {
    private static final Order TWO_CUPS = new Order("4711", "cup", 2);
    private static final Order TOO_MANY_CUPS = new Order("4712", "cup", 1000);

    private final DataSource dataSource =
            PostgresServer.shared().createDatabase("jooq").dataSource();
    private final DSLContext dsl = DSL.using(dataSource, SQLDialect.POSTGRES);
    private final OrderService orders = new OrderService(dsl);
    private final InMemoryPublisher broker = new InMemoryPublisher();
    private final Relay relay = Relay.create(dataSource, broker);

    @BeforeEach
    void start() {
        Migrations.run(dataSource);
        dsl.execute("insert into stock values ('cup', 10)");
        relay.start();
    }

    @AfterEach
    void stop() {
        relay.close();
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() {
        orders.place(TWO_CUPS);

        assertThat(placed()).containsExactly("4711");
        await().until(() -> published().equals(List.of("order.placed 4711")));
        assertThat(broker.sent().get(0).payloadAs(Order.class)).isEqualTo(TWO_CUPS);
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        assertThatThrownBy(() -> orders.place(TOO_MANY_CUPS)).isInstanceOf(OutOfStockException.class);

        assertThat(placed()).isEmpty();
        assertThat(events()).isZero();
    }

    @Test
    void nestedTransactionThatIsRolledBackTakesItsOwnEventAlone() {
        orders.placeWithGift(TWO_CUPS, TOO_MANY_CUPS);

        assertThat(placed()).containsExactly("4711");
        await().until(() -> published().equals(List.of("order.placed 4711", "order.gift-missing 4711")));
        assertThat(events()).isEqualTo(2);
    }

    @Test
    void nestedTransactionThatSucceedsKeepsItsEvent() {
        orders.placeWithGift(TWO_CUPS, new Order("4713", "cup", 1));

        assertThat(placed()).containsExactly("4711", "4713");
        await().until(() -> broker.sent().size() == 2);
    }

    @Test
    void contextFromOutsideTheTransactionIsRefused() {
        NewEvent event = NewEvent.of("order", "4711", "order.placed", TWO_CUPS);

        assertThatThrownBy(() -> dsl.transaction(tx -> Outbox.create().publish(dsl, event)))
                .isInstanceOf(NoTransactionException.class);
        assertThat(events()).isZero();
    }

    private List<String> placed() {
        return dsl.fetch("select id from orders order by id").getValues(0, String.class);
    }

    private int events() {
        return dsl.fetchSingle("select count(*)::int from outbox_events").into(int.class);
    }

    private List<String> published() {
        return broker.sent().stream().map(OrderServiceTest::told).toList();
    }

    private static String told(OutboxEvent event) {
        return event.eventType() + " " + event.aggregateId();
    }
}
