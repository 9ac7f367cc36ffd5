package dev.typedoutbox.recipes.jpa;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatTransaction;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest
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

    @Autowired
    private OrderService orders;

    @Autowired
    private JpaOutbox outbox;

    @Autowired
    private JdbcTemplate jdbc;

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
        jdbc.execute("truncate orders, stock");
        jdbc.execute("insert into stock values ('cup', 10)");
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() {
        orders.place(new Order("4711", "cup", 2));

        assertThat(placed()).containsExactly("4711");
        await().untilAsserted(() -> assertThatEvents(broker.published())
                .hasEvent("order.placed")
                .forAggregate("order", "4711")
                .withPayloadEqualTo(new OrderPlaced("4711", "cup", 2))
                .once());
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        assertThatThrownBy(() -> orders.place(new Order("4712", "cup", 1000))).isInstanceOf(OutOfStockException.class);

        assertThat(placed()).isEmpty();
        assertThatOutbox(pool).isEmpty();
    }

    @Test
    void rowThatIsRefusedWhenHibernateFlushesTakesTheEventWithIt() {
        jdbc.execute("alter table orders add constraint two_at_least check (quantity > 1)");

        assertThatThrownBy(() -> orders.place(new Order("refused", "cup", 1)))
                .isInstanceOf(DataIntegrityViolationException.class);

        jdbc.execute("alter table orders drop constraint two_at_least");
        assertThatOutbox(pool).isEmpty();
    }

    @Test
    void withoutATransactionPublishingIsRefused() {
        assertThatThrownBy(() -> outbox.publish(event("outside"))).isInstanceOf(NoTransactionException.class);

        assertThatOutbox(pool).isEmpty();
    }

    @Test
    void connectionThatSpringHasBoundIsHibernatesToo() {
        transactions.executeWithoutResult(status -> {
            // bound
            Outbox.create().publish(DataSourceUtils.getConnection(pool), event("bound"));
            // end of bound
            outbox.publish(event("bound"));
            assertThatTransaction(DataSourceUtils.getConnection(pool)).hasSize(2);
            status.setRollbackOnly();
        });
        assertThatOutbox(pool).isEmpty();

        transactions.executeWithoutResult(
                status -> Outbox.create().publish(DataSourceUtils.getConnection(pool), event("bound")));
        assertThatOutbox(pool).hasSize(1);
    }

    @Test
    void newTransactionStaysWhenTheCallersIsRolledBack() {
        TransactionTemplate another = withPropagation(Propagation.REQUIRES_NEW);

        transactions.executeWithoutResult(status -> {
            outbox.publish(event("rolled-back"));
            another.executeWithoutResult(inner -> outbox.publish(event("new")));
            status.setRollbackOnly();
        });

        assertThatOutbox(pool).hasSize(1);
        assertThatOutbox(pool).hasEvent("order.placed").forAggregate("order", "new");
    }

    @Test
    void nestedTransactionsAreRefusedBySpring() {
        TransactionTemplate nested = withPropagation(Propagation.NESTED);

        assertThatThrownBy(() -> transactions.executeWithoutResult(
                        status -> nested.executeWithoutResult(inner -> outbox.publish(event("nested")))))
                .isInstanceOf(NestedTransactionNotSupportedException.class);
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_SUPPORTED", "NEVER", "SUPPORTS"})
    void propagationThatOpensNoTransactionIsRefused(Propagation propagation) {
        assertThatThrownBy(() ->
                        withPropagation(propagation).executeWithoutResult(status -> outbox.publish(event("outside"))))
                .isInstanceOf(NoTransactionException.class);

        assertThatOutbox(pool).isEmpty();
    }

    private TransactionTemplate withPropagation(Propagation propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation.value());
        return template;
    }

    private static NewEvent event(String orderId) {
        return NewEvent.of("order", orderId, "order.placed", new OrderPlaced(orderId, "cup", 1));
    }

    private List<String> placed() {
        return jdbc.queryForList("select id from orders order by id", String.class);
    }
}
