package dev.typedoutbox.recipes.jpa;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatEvents;
import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.testkit.InMemoryPublisher;
import dev.typedoutbox.testkit.junit.OutboxDatabaseExtension;
import dev.typedoutbox.testkit.outbox.SteppableRelay;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.JdbcTemplate;

/** Hibernate without Spring. */
class HibernateAloneTest {
    @RegisterExtension
    static final OutboxDatabaseExtension DATABASE = OutboxDatabaseExtension.builder()
            .setUp(dataSource ->
                    Flyway.configure().dataSource(dataSource).load().migrate()) // your tables
            .build();

    private final DataSource dataSource = DATABASE.dataSource();
    private final JdbcTemplate rows = new JdbcTemplate(dataSource);
    private final Outbox outbox = Outbox.create();
    private SessionFactory sessions;

    @BeforeEach
    void open() {
        rows.execute("truncate orders");
        Configuration hibernate = new Configuration().addAnnotatedClass(Order.class);
        hibernate.getProperties().put(AvailableSettings.JAKARTA_NON_JTA_DATASOURCE, dataSource);
        sessions = hibernate.buildSessionFactory();
    }

    @AfterEach
    void close() {
        sessions.close();
    }

    private void place(Order order) {
        // session
        sessions.inTransaction(session -> {
            session.persist(order);
            NewEvent event = NewEvent.of("order", order.id(), "order.placed", OrderPlaced.of(order));
            session.doWork(tx -> outbox.publish(tx, event));
        });
        // end of session
    }

    @Test
    void placedOrderIsARowAndAPublishedEvent() {
        InMemoryPublisher broker = new InMemoryPublisher();

        place(new Order("4711", "cup", 2));
        SteppableRelay.create(dataSource, broker).publishDue();

        assertThat(orders()).isEqualTo(1);
        assertThatEvents(broker.published()).hasExactlyTypes("order.placed");
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        place(new Order("4711", "cup", 2));

        assertThatThrownBy(() -> place(new Order("4711", "saucer", 1))).isInstanceOf(RuntimeException.class);

        assertThat(orders()).isEqualTo(1);
        assertThatOutbox(dataSource).hasSize(1);
    }

    private Integer orders() {
        return rows.queryForObject("select count(*) from orders", Integer.class);
    }
}
