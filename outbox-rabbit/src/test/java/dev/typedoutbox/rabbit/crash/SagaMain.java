package dev.typedoutbox.rabbit.crash;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.consumer.EventConsumer;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.crash.Halt.Moment;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** All steps of the saga, each with a consumer of its own, and one relay, until its standard input ends. */
final class SagaMain {
    private static final int BEFORE_QUEUES = 8;
    private static final int CONNECTIONS = SagaStep.values().length + RelayConfig.DEFAULT_WORKERS;

    private SagaMain() {}

    /**
     * Takes JDBC URL, user, password, AMQP URI, exchange, the step to end at, its moment, how many events that passes before,
     * and the steps' queues.
     */
    public static void main(String[] args) throws IOException {
        PGSimpleDataSource direct = OutboxDatabase.direct(args[0], args[1], args[2], "saga");
        HikariDataSource pool = OutboxDatabase.pool(direct, CONNECTIONS);
        SagaStep deadly = SagaStep.valueOf(args[5]);
        Halt halt = new Halt(Moment.valueOf(args[6]), Integer.parseInt(args[7]));
        Iterator<String> queues =
                List.of(args).subList(BEFORE_QUEUES, args.length).iterator();
        Deque<RabbitConsumer> consumers = new ArrayDeque<>();
        for (SagaStep step : SagaStep.values()) {
            EventConsumer consumer = step == deadly
                    ? halt.behind(IdempotentConsumer.create(pool, step.name(), halt.in(step)))
                    : IdempotentConsumer.create(pool, step.name(), step);
            consumers.push(RabbitConsumer.builder(Broker.factory(args[3]), queues.next(), consumer)
                    .build());
        }
        try (RabbitPublisher publisher = RabbitPublisher.create(Broker.factory(args[3]), Routing.toExchange(args[4]));
                Relay relay = Relay.create(pool, publisher, listeningOn(direct))) {
            relay.start();
            consumers.forEach(RabbitConsumer::start);
            System.in.readAllBytes();
            consumers.forEach(RabbitConsumer::close);
        }
        Runtime.getRuntime().halt(0);
    }

    private static RelayConfig listeningOn(DataSource direct) {
        return RelayConfig.builder().listenOn(direct).build();
    }
}
