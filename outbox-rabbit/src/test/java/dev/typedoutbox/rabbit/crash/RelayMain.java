package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.OutboxDatabase;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.postgresql.ds.PGSimpleDataSource;

/** What a {@link RelayProcess} runs: a relay with one worker, until its standard input ends. */
final class RelayMain {
    /** The type of events that end the process when they are to be sent. */
    static final String DEADLY = "order.deadly";

    private RelayMain() {}

    /** Takes JDBC URL, user, password, AMQP URI, exchange, batch size, milliseconds to confirm, and the step to hold at. */
    public static void main(String[] args) throws IOException {
        PGSimpleDataSource dataSource = OutboxDatabase.direct(args[0], args[1], args[2], FaultRun.RELAY);
        RabbitPublisher publisher = RabbitPublisher.create(Broker.factory(args[3]), survivorsTo(args[4]));
        RelayConfig config = RelayConfig.builder()
                .workers(1)
                .batchSize(Integer.parseInt(args[5]))
                .confirmTimeout(Duration.ofMillis(Long.parseLong(args[6])))
                .build();
        Hold hold = new Hold(Step.valueOf(args[7]));
        AtomicBoolean published = new AtomicBoolean();
        Relay.create(
                        HeldConnection.of(dataSource, hold, published),
                        new DecoratedPublisher(publisher, new HeldSending(hold, published)),
                        config)
                .start();
        // One byte releases the hold; the end means that the parent has gone.
        while (System.in.read() >= 0) {
            hold.release();
        }
        Runtime.getRuntime().halt(0);
    }

    private static Routing survivorsTo(String exchange) {
        Routing routing = Routing.toExchange(exchange);
        return event -> {
            if (event.eventType().equals(DEADLY)) {
                Runtime.getRuntime().halt(1);
            }
            return routing.route(event);
        };
    }
}
