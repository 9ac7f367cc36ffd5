package dev.typedoutbox.rabbit.crash;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.rabbit.RabbitConsumer;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import java.io.IOException;

/** A consumer whose handler leaves a row for each call that is committed, until its standard input ends. */
final class ConsumerMain {
    private ConsumerMain() {}

    /** Takes JDBC URL, user, password, AMQP URI and queue. */
    public static void main(String[] args) throws IOException {
        HikariDataSource pool = OutboxDatabase.pool(OutboxDatabase.direct(args[0], args[1], args[2], "consumer"), 2);
        IdempotentConsumer consumer = IdempotentConsumer.create(
                pool,
                "killed",
                (tx, event) -> tx.execute(
                        "insert into effects (event_id, aggregate_id, seq) values (?, ?, ?)",
                        event.id(),
                        event.aggregateId(),
                        event.seq()));
        try (RabbitConsumer receiver = RabbitConsumer.builder(Broker.factory(args[3]), args[4], consumer)
                .build()) {
            receiver.start();
            System.in.readAllBytes();
        }
        Runtime.getRuntime().halt(0);
    }
}
