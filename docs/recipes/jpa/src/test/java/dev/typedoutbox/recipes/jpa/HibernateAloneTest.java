package dev.typedoutbox.recipes.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.servers.PostgresServer;
import dev.typedoutbox.testkit.InMemoryPublisher;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Hibernate without Spring. */
class HibernateAloneTest {
    private final DataSource dataSource =
            PostgresServer.shared().createDatabase("hibernate").dataSource();
    private final JdbcTemplate rows = new JdbcTemplate(dataSource);
    private final Outbox outbox = Outbox.create();
    private SessionFactory sessions;

    @BeforeEach
    void open() {
        Flyway.configure().dataSource(dataSource).load().migrate();
        OutboxSchema.migrate(dataSource);
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
    void placedOrderIsARowAndAPublishedEvent() throws InterruptedException {
        InMemoryPublisher broker = new InMemoryPublisher();

        place(new Order("4711", "cup", 2));
        Relay.create(dataSource, broker).runOnce();

        assertThat(count("orders")).isEqualTo(1);
        assertThat(broker.sent()).hasSize(1);
    }

    @Test
    void orderThatIsRolledBackIsNeitherARowNorAnEvent() {
        place(new Order("4711", "cup", 2));

        assertThatThrownBy(() -> place(new Order("4711", "saucer", 1))).isInstanceOf(RuntimeException.class);

        assertThat(count("orders")).isEqualTo(1);
        assertThat(count("outbox_events")).isEqualTo(1);
    }

    private Integer count(String table) {
        return rows.queryForObject("select count(*) from " + table, Integer.class);
    }
}
