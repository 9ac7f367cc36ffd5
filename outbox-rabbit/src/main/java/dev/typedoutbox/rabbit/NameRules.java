package dev.typedoutbox.rabbit;

import java.nio.charset.StandardCharsets;

/** What AMQP 0-9-1 and RabbitMQ ask of the names of exchanges and queues, and of binding keys. */
final class NameRules {
    private static final int MAX_BYTES = 255;
    private static final String RESERVED = "amq.";

    private NameRules() {}

    static String requireName(String property, String name) {
        if (name.startsWith(RESERVED)) {
            throw new IllegalArgumentException(property + " must not begin with \"" + RESERVED
                    + "\", which is reserved for the broker's own (was \"" + name + "\")");
        }
        return requireText(property, name);
    }

    static String requireText(String property, String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    property + " must be 1 to " + MAX_BYTES + " bytes in UTF-8 (was " + bytes + ")");
        }
        // RabbitMQ takes them out of the names that it is asked to declare, and then knows nothing by the name as it
        // was.
        if (text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0) {
            throw new IllegalArgumentException(property + " must be one line (was \"" + text + "\")");
        }
        return text;
    }
}
