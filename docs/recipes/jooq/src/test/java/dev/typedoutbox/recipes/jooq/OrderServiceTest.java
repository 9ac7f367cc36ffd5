package dev.typedoutbox.recipes.jooq;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import dev.typedoutbox.testkit.outbox.SteppableRelay;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class OrderServiceTest {
    private static final Order TWO_CUPS = new Order("4711", "cup", 2);
    private static final Order TOO_MANY_CUPS = new Order("4712", "cup", 1000);

    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE =
            OutboxDatabaseExtension.builder().setUp(Migrations::run).build();

    private final DSLContext dsl = DSL.using(DATABASE.dataSource(), SQLDialect.POSTGRES);
    private final OrderService orders = new OrderService(dsl);
    private final InMemoryPublisher broker = new InMemoryPublisher();
    private final SteppableRelay relay = SteppableRelay.create(DATABASE.dataSource(), broker);

    @BeforeEach
    void emptyOrdersAndFillTheStock() {
        dsl.execute("truncate orders, stock");
        dsl.execute("insert into stock values ('cup', 10)");
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() {
        orders.place(TWO_CUPS);
        relay.publishDue();

        assertThat(placed()).containsExactly("4711");
        assertThatEvents(broker.published())
                .hasEvent("order.placed")
                .forAggregate("order", "4711")
                .withPayloadEqualTo(TWO_CUPS)
                .once();
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        assertThatThrownBy(() -> orders.place(TOO_MANY_CUPS)).isInstanceOf(OutOfStockException.class);

        assertThat(placed()).isEmpty();
        assertThatOutbox(DATABASE.dataSource()).isEmpty();
    }

    @Test
    void nestedTransactionThatIsRolledBackTakesItsOwnEventAlone() {
        orders.placeWithGift(TWO_CUPS, TOO_MANY_CUPS);
        relay.publishDue();

        assertThat(placed()).containsExactly("4711");
        assertThatEvents(broker.published()).hasExactlyTypes("order.placed", "order.gift-missing");
        assertThatEvents(broker.published()).hasEvent("order.placed").forAggregate("order", "4711");
        assertThatOutbox(DATABASE.dataSource()).hasSize(2);
    }

    @Test
    void nestedTransactionThatSucceedsKeepsItsEvent() {
        orders.placeWithGift(TWO_CUPS, new Order("4713", "cup", 1));
        relay.publishDue();

        assertThat(placed()).containsExactly("4711", "4713");
        assertThatEvents(broker.published()).hasExactlyTypes("order.placed", "order.placed");
        assertThatEvents(broker.published()).hasEvent("order.placed").forAggregate("order", "4713");
    }

    @Test
    void contextFromOutsideTheTransactionIsRefused() {
        NewEvent event = NewEvent.of("order", "4711", "order.placed", TWO_CUPS);

        assertThatThrownBy(() -> dsl.transaction(tx -> Outbox.create().publish(dsl, event)))
                .isInstanceOf(NoTransactionException.class);
        assertThatOutbox(DATABASE.dataSource()).isEmpty();
    }

    private List<String> placed() {
        return dsl.fetch("select id from orders order by id").getValues(0, String.class);
    }
}
