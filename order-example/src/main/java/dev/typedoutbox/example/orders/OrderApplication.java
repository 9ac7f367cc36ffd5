package dev.typedoutbox.example.orders;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.admin.AdminServer;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.db.OutboxSchema;
import dev.typedoutbox.rabbit.BrokerUnavailableException;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.TopologyRefusedException;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** The service with everything that runs in it: HTTP, the relay, the shipping consumer and the admin page. */
public final class OrderApplication implements AutoCloseable {
    /** The name under which the shipping consumer records what it applied: {@value}. */
    public static final String CONSUMER = "shipping";

    private static final String MIGRATIONS = "classpath:dev/typedoutbox/example/migration";

    private final RabbitPublisher publisher;
    private final AdminServer admin;
    private final Relay relay;
    private final RabbitConsumer consumer;
    private final Javalin http;

    private OrderApplication(
            DataSource database,
            DataSource unpooled,
            ConnectionFactory broker,
            int port,
            UnaryOperator<EventConsumer> decorator) {
        DSLContext dsl = DSL.using(database, SQLDialect.POSTGRES);
        publisher = RabbitPublisher.create(broker, Routing.toExchange(Topology.EXCHANGE));
        // The payloads are made up; where they are not, they are nobody's business.
        admin = AdminServer.builder(database).showPayloads(true).build();
        RelayConfig config = RelayConfig.builder()
                .listenOn(unpooled)
                .observer(admin.observer())
                .build();
        relay = Relay.create(database, publisher, config);
        EventConsumer shipping = IdempotentConsumer.create(database, CONSUMER, new Shipping());
        consumer = RabbitConsumer.builder(broker, Topology.QUEUE, decorator.apply(shipping))
                .deadLetterExchange(Topology.DEAD_LETTERS)
                .build();
        http = new OrderApi(new OrderService(dsl, Outbox.create()), dsl, relay).start(port);
        relay.start();
        consumer.start();
    }

    /**
     * Creates the service's tables and the outbox's, or brings them up to date.
     *
     * @param database gives connections whose role may create tables
     */
    public static void migrate(DataSource database) {
        Flyway.configure(OrderApplication.class.getClassLoader())
                .dataSource(database)
                .locations(MIGRATIONS)
                .baselineOnMigrate(true)
                .baselineVersion("0")
                .load()
                .migrate();
        OutboxSchema.migrate(database);
    }

    /**
     * Declares exchange, queue and binding, and a place for dead letters.
     *
     * @param broker where the broker is, and how to log in
     * @throws TopologyRefusedException if something exists otherwise, or the broker refuses it
     * @throws BrokerUnavailableException if the broker goes away meanwhile
     * @throws IOException if the broker cannot be reached
     * @throws TimeoutException if it does not answer
     */
    public static void declareTopology(ConnectionFactory broker) throws IOException, TimeoutException {
        Topology.declare(broker);
    }

    /**
     * Starts the service. Tables and queues must be there.
     *
     * @param database a pool
     * @param unpooled the same database, for the connection on which the relay listens
     * @param broker where the broker is, and how to log in
     * @param port where to listen on the loopback interface; 0 for any free port
     * @param decorator what to put around the consumer, such as a counter
     * @return the running service
     */
    public static OrderApplication start(
            DataSource database,
            DataSource unpooled,
            ConnectionFactory broker,
            int port,
            UnaryOperator<EventConsumer> decorator) {
        return new OrderApplication(database, unpooled, broker, port, decorator);
    }

    /**
     * Where the service listens.
     *
     * @return the URI of its root, without a slash at the end
     */
    public URI uri() {
        return URI.create("http://127.0.0.1:" + http.port());
    }

    /**
     * Starts the admin page, on the loopback interface.
     *
     * @return where it is
     */
    public URI startAdminPage() {
        admin.start();
        return admin.uri();
    }

    /** Stops, in the direction of the data: no new orders, then no new messages, then no new deliveries. */
    @Override
    public void close() {
        http.stop();
        relay.close();
        publisher.close();
        consumer.close();
        admin.close();
    }
}
