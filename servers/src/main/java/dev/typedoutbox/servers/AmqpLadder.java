package dev.typedoutbox.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses the AMQP server: the first that can be had. */
record AmqpLadder(
        Function<String, @Nullable String> environment,
        BooleanSupplier dockerAnswers,
        Supplier<Optional<Path>> installedRabbit) {

    private static final String REQUIRED = "required";
    private static final String IMAGE = "rabbitmq:4-alpine";
    private static final int CONTAINER_PORT = 5672;

    static AmqpLadder of(Function<String, @Nullable String> environment) {
        return new AmqpLadder(
                environment, () -> DockerEngine.answers(environment), () -> RabbitInstallation.findScript(environment));
    }

    AmqpServer start() {
        String uri = environment.apply(AmqpServer.URI_VARIABLE);
        if (uri != null && !uri.isBlank()) {
            return external(URI.create(uri));
        }
        if (RabbitInstallation.named(environment).isEmpty() && dockerAnswers.getAsBoolean()) {
            return container();
        }
        return installedRabbit.get().map(AmqpLadder::ownNode).orElseGet(this::withoutRabbit);
    }

    private static AmqpServer external(URI uri) {
        try {
            boolean rabbitMq = AmqpGreeting.of(uri).isFromRabbitMq();
            return AmqpServer.opened(new ExternalServer(AmqpServer.URI_VARIABLE), uri, rabbitMq);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    AmqpServer.URI_VARIABLE + " must name a running AMQP 0-9-1 server without TLS", e);
        }
    }

    private static AmqpServer container() {
        Container container = Container.start(IMAGE, CONTAINER_PORT, Map.of());
        return AmqpServer.ready(container, AmqpServer.localUri(container.host(), container.port()), true);
    }

    Optional<AmqpServer> startWithTls() {
        Optional<Path> script = installedRabbit.get();
        if (script.isEmpty() && isRequired()) {
            throw missing();
        }
        return script.map(RabbitNode::startWithTls).map(AmqpLadder::ready);
    }

    private static AmqpServer ownNode(Path script) {
        return ready(RabbitNode.start(script));
    }

    private static AmqpServer ready(RabbitNode node) {
        return AmqpServer.ready(node, AmqpServer.localUri("127.0.0.1", node.port()), true);
    }

    private AmqpServer withoutRabbit() {
        if (isRequired()) {
            throw missing();
        }
        return AmqpServer.startEmbedded();
    }

    private boolean isRequired() {
        return REQUIRED.equals(environment.apply(AmqpServer.RABBITMQ_VARIABLE));
    }

    private static IllegalStateException missing() {
        return new IllegalStateException(AmqpServer.RABBITMQ_VARIABLE + " is " + REQUIRED
                + ", but there is no RabbitMQ: " + AmqpServer.HOW_TO_GET_RABBITMQ);
    }
}
