package dev.typedoutbox.standalone;

import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.Locale;
import java.util.Set;

/** How to reach RabbitMQ. */
final class BrokerAccess {
    private static final String TLS = "amqps";
    private static final Set<String> SCHEMES = Set.of("amqp", TLS);
    private static final int MAX_PORT = 65_535;

    private final ConnectionFactory factory;
    private final boolean tls;

    private BrokerAccess(ConnectionFactory factory, boolean tls) {
        this.factory = factory;
        this.tls = tls;
    }

    static BrokerAccess of(Settings settings) {
        URI uri = uri(settings);
        boolean tls = isTls(uri);
        ConnectionFactory factory = new StrictFactory();
        setUri(settings, factory, uri, tls);
        settings.optionalText(Setting.AMQP_USER).ifPresent(factory::setUsername);
        settings.secret(Setting.AMQP_PASSWORD, Setting.AMQP_PASSWORD_FILE).ifPresent(factory::setPassword);
        if (tls) {
            factory.useSslProtocol(TlsFiles.of(settings).context());
            factory.enableHostnameVerification();
        } else {
            TlsFiles.requireNone(settings);
        }
        return new BrokerAccess(factory, tls);
    }

    ConnectionFactory factory() {
        return factory;
    }

    /** Host, port and virtual host; no user, no password. */
    @Override
    public String toString() {
        return (tls ? "amqps://" : "amqp://") + factory.getHost() + ":" + factory.getPort() + ", virtual host "
                + factory.getVirtualHost();
    }

    private static URI uri(Settings settings) {
        try {
            URI uri = new URI(settings.text(Setting.AMQP_URI));
            String scheme = uri.getScheme();
            // The client takes localhost for the host that it cannot read.
            if (scheme == null
                    || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))
                    || uri.getHost() == null
                    || uri.getPort() == 0
                    || uri.getPort() > MAX_PORT) {
                throw badUri(settings);
            }
            requireNoLoginOnCommandLine(settings, uri);
            return uri;
        } catch (URISyntaxException e) {
            throw badUri(settings);
        }
    }

    private static void requireNoLoginOnCommandLine(Settings settings, URI uri) {
        if (uri.getRawUserInfo() != null && settings.isOnCommandLine(Setting.AMQP_URI)) {
            throw settings.wrong(
                    Setting.AMQP_URI,
                    "without user and password, which others can see there: set " + Setting.AMQP_USER.option()
                            + ", and " + Setting.AMQP_PASSWORD.variable() + " or "
                            + Setting.AMQP_PASSWORD_FILE.option());
        }
    }

    private static boolean isTls(URI uri) {
        return TLS.equalsIgnoreCase(uri.getScheme());
    }

    /** For TLS, too, as a URI without it: the client would trust every certificate, and warn of that. */
    private static void setUri(Settings settings, ConnectionFactory factory, URI uri, boolean tls) {
        try {
            factory.setUri("amqp:" + uri.getRawSchemeSpecificPart());
            if (tls && uri.getPort() < 0) {
                factory.setPort(ConnectionFactory.DEFAULT_AMQP_OVER_SSL_PORT);
            }
        } catch (URISyntaxException | GeneralSecurityException | IllegalArgumentException e) {
            throw badUri(settings);
        }
    }

    private static Failure badUri(Settings settings) {
        return settings.wrong(
                Setting.AMQP_URI,
                "amqp://host:port/virtual-host, or amqps: for TLS, special characters as in %2F, without other"
                        + " parameters than heartbeat, connection_timeout and channel_max");
    }

    /** The client passes over parameters that it does not know, such as a misspelt one. */
    private static final class StrictFactory extends ConnectionFactory {
        @Override
        protected void processUriQueryParameter(String name, String value) {
            throw new IllegalArgumentException(name);
        }
    }
}
