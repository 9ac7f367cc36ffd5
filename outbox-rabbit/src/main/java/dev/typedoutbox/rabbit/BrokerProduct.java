package dev.typedoutbox.rabbit;

import com.rabbitmq.client.Connection;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a broker says that it is. */
record BrokerProduct(String name, String version) {
    private static final String RABBITMQ = "RabbitMQ";
    private static final Pattern RELEASE = Pattern.compile("(\\d{1,9})\\.(\\d{1,9}).*");
    private static final int FIRST_MAJOR = 3;
    private static final int FIRST_MINOR = 10;

    static BrokerProduct of(Connection connection) {
        return new BrokerProduct(property(connection, "product"), property(connection, "version"));
    }

    /** Others, and older ones, take the arguments of such a queue for unknown and may leave out without a word what they ask. */
    boolean hasSafeDeadLettering() {
        return name.equals(RABBITMQ) && !isOlder();
    }

    private boolean isOlder() {
        Matcher release = RELEASE.matcher(version);
        if (!release.matches()) {
            return false;
        }
        int major = Integer.parseInt(release.group(1));
        return major < FIRST_MAJOR || (major == FIRST_MAJOR && Integer.parseInt(release.group(2)) < FIRST_MINOR);
    }

    private static String property(Connection connection, String key) {
        return String.valueOf(connection.getServerProperties().get(key));
    }

    @Override
    public String toString() {
        return name + " " + version;
    }
}
