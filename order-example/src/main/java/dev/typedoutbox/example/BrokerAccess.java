package dev.typedoutbox.example;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/** The broker of the run, and what its errors mean for the user. */
final class BrokerAccess {
    private static final int CONNECT_TIMEOUT_MILLIS = 10_000;
    private static final int MAX_PORT = 65_535;

    private final ConnectionFactory factory;

    private BrokerAccess(ConnectionFactory factory) {
        this.factory = factory;
    }

    static BrokerAccess of(String uri) {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            URI parsed = new URI(uri);
            // The client takes localhost for the host that it cannot read.
            if (parsed.getHost() == null || parsed.getPort() == 0 || parsed.getPort() > MAX_PORT) {
                throw badUri(uri);
            }
            factory.setUri(parsed);
        } catch (URISyntaxException | IllegalArgumentException | GeneralSecurityException e) {
            throw badUri(uri);
        }
        factory.setConnectionTimeout(CONNECT_TIMEOUT_MILLIS);
        return new BrokerAccess(factory);
    }

    void check() {
        try (Connection connection = factory.newConnection("order-example check")) {
            connection.createChannel().close();
        } catch (IOException | TimeoutException | RuntimeException e) {
            throw explained(e);
        }
    }

    ConnectionFactory factory() {
        return factory;
    }

    /** Host, port and virtual host; no user, no password. */
    @Override
    public String toString() {
        return factory.getHost() + ":" + factory.getPort() + ", virtual host \"" + factory.getVirtualHost() + "\"";
    }

    ExampleFailure explained(Throwable failure) {
        boolean login = NetworkReason.causes(failure)
                .anyMatch(cause -> cause instanceof AuthenticationFailureException
                        || cause instanceof PossibleAuthenticationFailureException);
        String text = login
                ? "--amqp-uri must have a user and a password that the broker accepts (was user \""
                        + factory.getUsername() + "\" at " + this + "): correct them"
                : "--amqp-uri must name an AMQP 0-9-1 broker that answers and allows to declare, read and write (was "
                        + this + ": " + said(failure) + "): check host, port, virtual host (%2F is \"/\") and rights";
        return ExampleFailure.of(text, failure);
    }

    private static String said(Throwable failure) {
        return NetworkReason.causes(failure)
                .filter(ShutdownSignalException.class::isInstance)
                .map(cause -> reply(((ShutdownSignalException) cause).getReason()))
                .findFirst()
                .or(() -> NetworkReason.of(failure))
                .orElse(NetworkReason.firstLine(failure));
    }

    private static String reply(Method reason) {
        if (reason instanceof AMQP.Connection.Close close) {
            return close.getReplyText();
        }
        return reason instanceof AMQP.Channel.Close close ? close.getReplyText() : "connection lost";
    }

    private static ExampleFailure badUri(String uri) {
        return ExampleFailure.badOption("--amqp-uri must be amqp://user:password@host:port/virtual-host (was \""
                + DatabaseAccess.withoutPasswords(uri) + "\"): correct it, special characters as in %2F");
    }
}
