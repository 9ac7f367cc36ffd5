package dev.typedoutbox.servers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The settings that keep a RabbitMQ node apart from the machine's own one: all its files are in one folder. */
final class RabbitSettings {

    /** The name of the file that gets the node's output. */
    static final String LOG = "console.log";

    private static final String LOOPBACK = "127.0.0.1";

    private RabbitSettings() {}

    static Map<String, String> environment(
            TemporaryFolder folder, int port, int epmdPort, List<String> furtherConfiguration) {
        Map<String, String> environment = new HashMap<>(files(folder, configuration(port, furtherConfiguration)));
        environment.putAll(Map.of(
                "RABBITMQ_NODENAME",
                "typed-outbox-" + port + "@localhost",
                "RABBITMQ_NODE_IP_ADDRESS",
                LOOPBACK,
                "RABBITMQ_NODE_PORT",
                Integer.toString(port),
                "RABBITMQ_DIST_PORT",
                Integer.toString(FreePort.find()),
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                "-kernel inet_dist_use_interface {127,0,0,1}",
                "ERL_EPMD_PORT",
                Integer.toString(epmdPort),
                "ERL_EPMD_ADDRESS",
                LOOPBACK,
                // Makes the start script become the node instead of its parent, so that the node is our child.
                "RUNNING_UNDER_SYSTEMD",
                "true"));
        return environment;
    }

    private static Map<String, String> files(TemporaryFolder folder, String configuration) {
        return Map.of(
                // Erlang keeps its cookie there.
                "HOME", folder.toString(),
                "RABBITMQ_CONF_ENV_FILE", folder.write("rabbitmq-env.conf", ""),
                "RABBITMQ_CONFIG_FILE", folder.write("rabbitmq.conf", configuration),
                "RABBITMQ_CONFIG_FILES", folder.resolve("conf.d").toString(),
                "RABBITMQ_ADVANCED_CONFIG_FILE", folder.write("advanced.config", "[]."),
                "RABBITMQ_ENABLED_PLUGINS_FILE", folder.write("enabled_plugins", "[]."),
                "RABBITMQ_GENERATED_CONFIG_DIR", folder.resolve("generated").toString(),
                "RABBITMQ_MNESIA_BASE", folder.resolve("data").toString(),
                "RABBITMQ_LOG_BASE", folder.resolve("log").toString(),
                "RABBITMQ_LOGS", "-");
    }

    private static String configuration(int port, List<String> further) {
        List<String> lines =
                new ArrayList<>(List.of("listeners.tcp.1 = " + LOOPBACK + ":" + port, "log.console.level = warning"));
        lines.addAll(further);
        return String.join("\n", lines) + "\n";
    }
}
