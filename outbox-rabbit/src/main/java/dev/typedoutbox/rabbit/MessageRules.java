package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP.BasicProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What AMQP 0-9-1 cannot carry. The client finds it out only after it has counted the message, and the channel is of no use
 * afterwards, so it is found out before.
 */
final class MessageRules {
    private static final int MAX_SHORT_STRING_BYTES = 255;
    /** In UTF-8; the two of a surrogate pair take four together. */
    private static final int MOST_BYTES_OF_A_CHAR = 3;

    private MessageRules() {}

    /** Why a message cannot be sent, if it cannot. */
    static Optional<String> violation(Destination destination, BasicProperties properties, int frameMax) {
        return tooLong("exchange", destination.exchange())
                .or(() -> tooLong("routing key", destination.routingKey()))
                .or(() -> tooLong("type", properties.getType()))
                .or(() -> tooLongHeaderName(properties))
                .or(() -> tooLargeHeaders(properties, frameMax));
    }

    private static Optional<String> tooLong(String property, String value) {
        if (value.length() <= MAX_SHORT_STRING_BYTES / MOST_BYTES_OF_A_CHAR) {
            return Optional.empty();
        }
        int bytes = value.getBytes(StandardCharsets.UTF_8).length;
        return bytes <= MAX_SHORT_STRING_BYTES
                ? Optional.empty()
                : Optional.of(property + " must be at most " + MAX_SHORT_STRING_BYTES + " bytes in UTF-8 (was " + bytes
                        + ")");
    }

    private static Optional<String> tooLongHeaderName(BasicProperties properties) {
        for (String name : properties.getHeaders().keySet()) {
            Optional<String> violation = tooLong("header name", name);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> tooLargeHeaders(BasicProperties properties, int frameMax) {
        if (properties.getHeaders().size() == WireFormat.OWN_HEADERS) {
            return Optional.empty();
        }
        int bytes = encodedSize(properties);
        return fits(bytes, frameMax)
                ? Optional.empty()
                : Optional.of("properties and headers must be at most " + frameMax
                        + " bytes, the connection's frame size (was " + bytes + ")");
    }

    /** Whether a broker that takes frames of this size takes the properties: they cannot be split. */
    static boolean fitsFrame(BasicProperties properties, int frameMax) {
        return fits(encodedSize(properties), frameMax);
    }

    private static boolean fits(int bytes, int frameMax) {
        return frameMax == 0 || bytes <= frameMax;
    }

    private static int encodedSize(BasicProperties properties) {
        try {
            return properties.toFrame(0, 0).size();
        } catch (IOException e) {
            throw new IllegalStateException("properties could not be encoded in memory", e);
        }
    }
}
