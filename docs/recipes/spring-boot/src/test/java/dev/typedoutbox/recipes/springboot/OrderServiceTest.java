package dev.typedoutbox.recipes.springboot;

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
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest
@ActiveProfiles("test")
class OrderServiceTest {
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

    @TestConfiguration(proxyBeanMethods = false)
    static class BrokerInMemory {
        @Bean
        InMemoryPublisher publisher() {
            return new InMemoryPublisher();
        }
    }

    @DynamicPropertySource
    static void useTheTestsDatabase(DynamicPropertyRegistry properties) {
        Database database = PostgresServer.shared().createDatabase("boot");
        properties.add("spring.datasource.url", database::jdbcUrl);
        properties.add("spring.datasource.username", database::user);
        properties.add("spring.datasource.password", database::password);
    }

    @BeforeEach
    void fillTheStock() {
        dsl.execute("insert into stock values ('cup', 10) on conflict (product) do update set quantity = 10");
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() {
        Order order = new Order("placed", "cup", 2);

        orders.place(order);

        assertThat(rowsOf("placed")).isEqualTo(1);
        await().until(() -> typesSentOf("placed").equals(List.of("order.placed")));
        assertThat(sentOf("placed").get(0).payloadAs(Order.class)).isEqualTo(order);
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        assertThatThrownBy(() -> orders.place(tooMany("rolled-back"))).isInstanceOf(OutOfStockException.class);

        assertThat(rowsOf("rolled-back")).isZero();
        assertThat(eventsOf("rolled-back")).isZero();
    }

    @Test
    void nestedTransactionThatIsRolledBackTakesItsOwnEventAlone() {
        orders.placeWithGift(new Order("with-gift", "cup", 2), tooMany("gift"));

        assertThat(rowsOf("with-gift")).isEqualTo(1);
        assertThat(rowsOf("gift")).isZero();
        assertThat(eventsOf("gift")).isZero();
        await().until(() -> typesSentOf("with-gift").equals(List.of("order.placed", "order.gift-missing")));
    }

    @Test
    void newTransactionStaysWhenTheCallersIsRolledBack() {
        assertThatThrownBy(() -> orders.placeOrReject(tooMany("rejected"))).isInstanceOf(OutOfStockException.class);

        assertThat(rowsOf("rejected")).isZero();
        await().until(() -> typesSentOf("rejected").equals(List.of("order.rejected")));
        assertThat(eventsOf("rejected")).isEqualTo(1);
    }

    @Test
    void jooqsOwnTransactionsAreSpringsToo() {
        dsl.transaction(tx -> outbox.publish(tx, event("committed")));
        assertThat(eventsOf("committed")).isEqualTo(1);

        transactions.executeWithoutResult(status -> {
            dsl.transaction(tx -> outbox.publish(tx, event("nested")));
            status.setRollbackOnly();
        });
        assertThat(eventsOf("nested")).isZero();
    }

    @Test
    void withoutATransactionPublishingIsRefused() {
        assertThatThrownBy(() -> outbox.publish(dsl, event("refused"))).isInstanceOf(NoTransactionException.class);

        assertThat(eventsOf("refused")).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_SUPPORTED", "NEVER", "SUPPORTS"})
    void propagationThatOpensNoTransactionIsRefused(Propagation propagation) {
        TransactionTemplate none = new TransactionTemplate(manager);
        none.setPropagationBehavior(propagation.value());

        assertThatThrownBy(() -> none.executeWithoutResult(status -> outbox.publish(dsl, event("refused"))))
                .isInstanceOf(NoTransactionException.class);
        assertThat(eventsOf("refused")).isZero();
    }

    @Test
    void handlerMayCallBeansInSpringsTransaction() {
        IdempotentConsumer reserving =
                IdempotentConsumer.create(pool, "reserving", (tx, event) -> stock.take(event.payloadAs(Order.class)));
        // handler
        EventConsumer inSpring = event -> transactions.execute(status -> reserving.apply(dsl, event));
        // end of handler
        orders.place(new Order("reserved", "cup", 2));
        await().until(() -> !sentOf("reserved").isEmpty());
        OutboxEvent event = sentOf("reserved").get(0);

        transactions.executeWithoutResult(status -> {
            inSpring.apply(event);
            status.setRollbackOnly();
        });
        assertThat(inStock()).isEqualTo(8);
        assertThat(inSpring.apply(event)).isEqualTo(Applied.APPLIED);
        assertThat(inSpring.apply(event)).isEqualTo(Applied.DUPLICATE);
        assertThat(inStock()).isEqualTo(6);
    }

    @Test
    void migrationsOfBothHaveTheirOwnHistory() {
        assertThat(versionsIn("flyway_schema_history")).containsExactly("1", "2");
        assertThat(versionsIn("outbox_schema_history")).contains("1");
    }

    @Test
    void versionsAreSpringBootsOwn() {
        assertThat(jarOf(DSLContext.class)).contains("jooq-3.19.27");
        assertThat(jarOf(Flyway.class)).contains("flyway-core-11.7.2");
    }

    private static String jarOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation().toString();
    }

    private static Order tooMany(String id) {
        return new Order(id, "cup", 1000);
    }

    private static NewEvent event(String orderId) {
        return NewEvent.of("order", orderId, "order.placed", new Order(orderId, "cup", 1));
    }

    private int rowsOf(String orderId) {
        return count("select count(*)::int from orders where id = ?", orderId);
    }

    private int eventsOf(String orderId) {
        return count("select count(*)::int from outbox_events where aggregate_id = ?", orderId);
    }

    private int inStock() {
        return count("select quantity from stock where product = ?", "cup");
    }

    private int count(String sql, String value) {
        return dsl.fetchSingle(sql, value).into(int.class);
    }

    private List<String> versionsIn(String history) {
        return dsl.fetch("select version from " + history + " order by installed_rank")
                .getValues(0, String.class);
    }

    private List<OutboxEvent> sentOf(String orderId) {
        return broker.sent().stream()
                .filter(event -> event.aggregateId().equals(orderId))
                .toList();
    }

    private List<String> typesSentOf(String orderId) {
        return sentOf(orderId).stream().map(OutboxEvent::eventType).toList();
    }
}
