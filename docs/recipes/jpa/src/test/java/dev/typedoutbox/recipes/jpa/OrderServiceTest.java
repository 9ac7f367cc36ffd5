package dev.typedoutbox.recipes.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.NoTransactionException;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.servers.Database;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.List;
import javax.sql.DataSource;
import org.hibernate.Version;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.transaction.NestedTransactionNotSupportedException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.support.TransactionTemplate;

@SpringBootTest
class OrderServiceTest {
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

    @TestConfiguration(proxyBeanMethods = false)
    static class BrokerInMemory {
        @Bean
        InMemoryPublisher publisher() {
            return new InMemoryPublisher();
        }
    }

    @DynamicPropertySource
    static void useTheTestsDatabase(DynamicPropertyRegistry properties) {
        Database database = PostgresServer.shared().createDatabase("jpa");
        properties.add("spring.datasource.url", database::jdbcUrl);
        properties.add("spring.datasource.username", database::user);
        properties.add("spring.datasource.password", database::password);
    }

    @BeforeEach
    void fillTheStock() {
        jdbc.update("insert into stock values ('cup', 10) on conflict (product) do update set quantity = 10");
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() {
        orders.place(new Order("placed", "cup", 2));

        assertThat(rowsOf("placed")).isEqualTo(1);
        await().until(() -> sentOf("placed").size() == 1);
        assertThat(sentOf("placed").get(0).payloadAs(OrderPlaced.class)).isEqualTo(new OrderPlaced("placed", "cup", 2));
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        assertThatThrownBy(() -> orders.place(new Order("rolled-back", "cup", 1000)))
                .isInstanceOf(OutOfStockException.class);

        assertThat(rowsOf("rolled-back")).isZero();
        assertThat(eventsOf("rolled-back")).isZero();
    }

    @Test
    void rowThatIsRefusedWhenHibernateFlushesTakesTheEventWithIt() {
        jdbc.execute("alter table orders add constraint two_at_least check (quantity > 1)");

        assertThatThrownBy(() -> orders.place(new Order("refused", "cup", 1)))
                .isInstanceOf(DataIntegrityViolationException.class);

        jdbc.execute("alter table orders drop constraint two_at_least");
        assertThat(eventsOf("refused")).isZero();
    }

    @Test
    void withoutATransactionPublishingIsRefused() {
        assertThatThrownBy(() -> outbox.publish(event("outside"))).isInstanceOf(NoTransactionException.class);

        assertThat(eventsOf("outside")).isZero();
    }

    @Test
    void connectionThatSpringHasBoundIsHibernatesToo() {
        transactions.executeWithoutResult(status -> {
            // bound
            Outbox.create().publish(DataSourceUtils.getConnection(pool), event("bound"));
            // end of bound
            outbox.publish(event("bound"));
            status.setRollbackOnly();
        });
        assertThat(eventsOf("bound")).isZero();

        transactions.executeWithoutResult(
                status -> Outbox.create().publish(DataSourceUtils.getConnection(pool), event("bound")));
        assertThat(eventsOf("bound")).isEqualTo(1);
    }

    @Test
    void newTransactionStaysWhenTheCallersIsRolledBack() {
        TransactionTemplate another = withPropagation(Propagation.REQUIRES_NEW);

        transactions.executeWithoutResult(status -> {
            outbox.publish(event("rolled-back"));
            another.executeWithoutResult(inner -> outbox.publish(event("new")));
            status.setRollbackOnly();
        });

        assertThat(eventsOf("rolled-back")).isZero();
        assertThat(eventsOf("new")).isEqualTo(1);
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

        assertThat(eventsOf("outside")).isZero();
    }

    @Test
    void versionsAreSpringBootsOwn() {
        assertThat(Version.getVersionString()).startsWith("6.6.33");
    }

    private TransactionTemplate withPropagation(Propagation propagation) {
        TransactionTemplate template = new TransactionTemplate(manager);
        template.setPropagationBehavior(propagation.value());
        return template;
    }

    private static NewEvent event(String orderId) {
        return NewEvent.of("order", orderId, "order.placed", new OrderPlaced(orderId, "cup", 1));
    }

    private Integer rowsOf(String orderId) {
        return jdbc.queryForObject("select count(*) from orders where id = ?", Integer.class, orderId);
    }

    private Integer eventsOf(String orderId) {
        return jdbc.queryForObject("select count(*) from outbox_events where aggregate_id = ?", Integer.class, orderId);
    }

    private List<OutboxEvent> sentOf(String orderId) {
        return broker.sent().stream()
                .filter(event -> event.aggregateId().equals(orderId))
                .toList();
    }
}
