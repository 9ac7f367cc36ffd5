package dev.typedoutbox.servers;

import java.net.URL;
import java.util.Map;
import java.util.Objects;
import org.apache.qpid.server.SystemLauncher;

/** Apache Qpid Broker-J inside this JVM, with everything in memory. */
final class BrokerJ implements ServerProcess {

    private static final String CONFIGURATION = "broker-j.json";

    private final SystemLauncher launcher = new SystemLauncher();
    private final int port = FreePort.find();

    private BrokerJ() {}

    static BrokerJ start() {
        BrokerJ broker = new BrokerJ();
        try {
            broker.launcher.startup(broker.attributes());
        } catch (Exception e) {
            throw new IllegalStateException("Broker-J did not start", e);
        }
        return broker;
    }

    private Map<String, Object> attributes() {
        URL configuration = Objects.requireNonNull(BrokerJ.class.getResource(CONFIGURATION), CONFIGURATION);
        return Map.of(
                "type",
                "Memory",
                "initialConfigurationLocation",
                configuration.toExternalForm(),
                "context",
                Map.of("typedoutbox.amqpPort", Integer.toString(port)),
                "startupLoggedToSystemOut",
                "false");
    }

    int port() {
        return port;
    }

    @Override
    public String description() {
        return "Apache Qpid Broker-J, which runs inside this JVM,";
    }

    @Override
    public void close() {
        launcher.shutdown();
    }
}
