package dev.typedoutbox.tracing;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.consumer.IdempotentConsumer;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.util.ArrayList;
import java.util.List;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.postgresql.ds.PGSimpleDataSource;

/** The way of one event, for a class loader that knows no OpenTelemetry. */
public final class UntracedRun {
    private UntracedRun() {}

    /** Returns the types of the events that were consumed. */
    public static List<String> publishRelayAndConsume(String url, String user, String password) throws Exception {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setURL(url);
        dataSource.setUser(user);
        dataSource.setPassword(password);
        NewEvent event = NewEvent.of("order", "1", "order.placed", "x");
        DSL.using(dataSource, SQLDialect.POSTGRES)
                .transaction((Configuration tx) -> Outbox.create().publish(tx, event));

        InMemoryPublisher publisher = new InMemoryPublisher();
        Relay.create(dataSource, publisher, RelayConfig.defaults()).runOnce();

        List<String> consumed = new ArrayList<>();
        IdempotentConsumer consumer =
                IdempotentConsumer.create(dataSource, "shipping", (tx, received) -> consumed.add(received.eventType()));
        publisher.sent().forEach(consumer::apply);
        return consumed;
    }
}
