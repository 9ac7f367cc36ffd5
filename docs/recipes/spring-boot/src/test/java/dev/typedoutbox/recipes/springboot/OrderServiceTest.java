package dev.typedoutbox.recipes.springboot;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatTransaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.consumer.Applied;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest
@ActiveProfiles("test")
@Import(BrokerInMemory.class)
@DirtiesContext // ends the application before its database
class OrderServiceTest {
    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
            .setUp(dataSource ->
                    Flyway.configure().dataSource(dataSource).load().migrate()) // your tables
            .build();

    @DynamicPropertySource
    static void useTheTestsDatabase(DynamicPropertyRegistry properties) {
        properties.add("spring.datasource.url", DATABASE::jdbcUrl);
        properties.add("spring.datasource.username", DATABASE::user);
        properties.add("spring.datasource.password", DATABASE::password);
    }

    private static final Order TWO_CUPS = new Order("4711", "cup", 2);
    private static final Order TOO_MANY_CUPS = new Order("4712", "cup", 1000);
    private static final NewEvent EVENT = NewEvent.of("order", "4711", "order.placed", TWO_CUPS);

    @Autowired
    private OrderService orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Outbox outbox;

    @Autowired
    private DSLContext dsl;

    @Autowired
    private DataSource pool;

    @Autowired
    private PlatformTransactionManager manager;

    @Autowired
    private TransactionTemplate transactions;

    @Autowired
    private InMemoryPublisher broker;

    @BeforeEach
    void emptyOrdersAndFillTheStock() {
        broker.reset();
        dsl.execute("truncate orders, stock");
        dsl.execute("insert into stock values ('cup', 10)");
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() {
        orders.place(TWO_CUPS);

        assertThat(placed()).containsExactly("4711");
        await().untilAsserted(() -> assertThatEvents(broker.published())
                .hasEvent("order.placed")
                .forAggregate("order", "4711")
                .withPayloadEqualTo(TWO_CUPS)
                .once());
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        assertThatThrownBy(() -> orders.place(TOO_MANY_CUPS)).isInstanceOf(OutOfStockException.class);

        assertThat(placed()).isEmpty();
        assertThatOutbox(pool).isEmpty();
    }

    @Test
    void nestedTransactionThatIsRolledBackTakesItsOwnEventAlone() {
        orders.placeWithGift(TWO_CUPS, TOO_MANY_CUPS);

        assertThat(placed()).containsExactly("4711");
        assertThatOutbox(pool).hasExactlyTypes("order.placed", "order.gift-missing");
        assertThatOutbox(pool).hasEvent("order.placed").forAggregate("order", "4711");
    }

    @Test
    void newTransactionStaysWhenTheCallersIsRolledBack() {
        assertThatThrownBy(() -> orders.placeOrReject(TOO_MANY_CUPS)).isInstanceOf(OutOfStockException.class);

        assertThat(placed()).isEmpty();
        assertThatOutbox(pool).hasExactlyTypes("order.rejected");
    }

    @Test
    void jooqsOwnTransactionsAreSpringsToo() {
        dsl.transaction(tx -> outbox.publish(tx, EVENT));
        assertThatOutbox(pool).hasSize(1);

        transactions.executeWithoutResult(status -> {
            dsl.transaction(tx -> outbox.publish(tx, EVENT));
            assertThatTransaction(dsl).hasSize(1);
            status.setRollbackOnly();
        });
        assertThatOutbox(pool).hasSize(1);
    }

    @Test
    void withoutATransactionPublishingIsRefused() {
        assertThatThrownBy(() -> outbox.publish(dsl, EVENT)).isInstanceOf(NoTransactionException.class);

        assertThatOutbox(pool).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_SUPPORTED", "NEVER", "SUPPORTS"})
    void propagationThatOpensNoTransactionIsRefused(Propagation propagation) {
        TransactionTemplate none = new TransactionTemplate(manager);
        none.setPropagationBehavior(propagation.value());

        assertThatThrownBy(() -> none.executeWithoutResult(status -> outbox.publish(dsl, EVENT)))
                .isInstanceOf(NoTransactionException.class);
        assertThatOutbox(pool).isEmpty();
    }

    @Test
    void handlerMayCallBeansInSpringsTransaction() {
        IdempotentConsumer reserving =
                IdempotentConsumer.create(pool, "reserving", (tx, event) -> stock.take(event.payloadAs(Order.class)));
        // handler
        EventConsumer inSpring = event -> transactions.execute(status -> reserving.apply(dsl, event));
        // end of handler
        orders.place(TWO_CUPS);
        OutboxEvent event = assertThatOutbox(pool).hasEvent("order.placed").event();

        transactions.executeWithoutResult(status -> {
            inSpring.apply(event);
            status.setRollbackOnly();
        });
        assertThat(inStock()).isEqualTo(8);
        assertThat(inSpring.apply(event)).isEqualTo(Applied.APPLIED);
        assertThat(inSpring.apply(event)).isEqualTo(Applied.DUPLICATE);
        assertThat(inStock()).isEqualTo(6);
    }

    private List<String> placed() {
        return dsl.fetch("select id from orders order by id").getValues(0, String.class);
    }

    private int inStock() {
        return dsl.fetchSingle("select quantity from stock where product = 'cup'")
                .into(int.class);
    }
}
