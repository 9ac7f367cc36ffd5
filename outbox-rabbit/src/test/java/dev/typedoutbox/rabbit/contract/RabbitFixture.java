package dev.typedoutbox.rabbit.contract;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.LongString;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.Destination;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.HoldingLink;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.testkit.publisher.PublisherFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The shared broker, reached by the publisher through a proxy that cuts and a link that holds back. */
final class RabbitFixture implements PublisherFixture {
    private final Broker broker = Broker.shared();
    private final String exchange = broker.exchange();
    private final String queue = broker.queue(exchange, Fate.ACCEPTED.name());
    private final URI server = broker.server().uri();
    private final HoldingLink link;
    private final TcpProxy proxy;

    RabbitFixture() {
        try {
            this.link = new HoldingLink(server.getHost(), server.getPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.proxy = TcpProxy.to("127.0.0.1", link.port());
    }

    @Override
    public EventPublisher publisher() {
        return RabbitPublisher.create(Broker.factory(Broker.at(server, proxy.port())), this::route);
    }

    private Destination route(OutboxEvent event) {
        return switch (Fate.valueOf(event.eventType())) {
            case ACCEPTED, UNROUTABLE -> new Destination(exchange, event.eventType());
            case REFUSED -> new Destination("no-such-exchange", event.eventType());
            case FAILING -> throw new IllegalStateException("no idea where to");
        };
    }

    @Override
    public Optional<String> eventType(Fate fate) {
        return Optional.of(fate.name());
    }

    @Override
    public List<OutboxEvent> take() {
        return broker.take(queue).stream().map(RabbitFixture::event).toList();
    }

    @Override
    public void holdConfirms() {
        link.hold();
    }

    @Override
    public void releaseConfirms() {
        link.release();
    }

    @Override
    public void cutConnections() {
        proxy.cut();
    }

    @Override
    public void close() {
        proxy.close();
        try {
            link.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a message by the documented wire format, without the product's own reader. */
    private static OutboxEvent event(GetResponse message) {
        BasicProperties properties = message.getProps();
        Map<String, Object> headers = new HashMap<>();
        properties
                .getHeaders()
                .forEach((name, value) -> headers.put(name, value instanceof LongString ? value.toString() : value));
        return OutboxEvent.builder(UUID.fromString(properties.getMessageId()))
                .aggregate(
                        String.valueOf(headers.remove("aggregate_type")),
                        String.valueOf(headers.remove("aggregate_id")),
                        Long.parseLong(String.valueOf(headers.remove("seq"))))
                .eventType(properties.getType())
                .headers(headers)
                .createdAt(properties.getTimestamp().toInstant())
                .payload(message.getBody())
                .build();
    }
}
