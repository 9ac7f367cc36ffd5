package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Says in few words why the client or the broker ended something. */
final class Reasons {
    private static final int MAX_CHARACTERS = 1_000;

    private Reasons() {}

    /** Somebody else's text, bounded, and without lines of its own in the log. */
    static String inOneLine(String text) {
        String printable = text.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "\uFFFD");
        return printable.codePointCount(0, printable.length()) <= MAX_CHARACTERS
                ? printable
                : printable.substring(0, printable.offsetByCodePoints(0, MAX_CHARACTERS));
    }

    static String of(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException shutdown) {
                return of(shutdown);
            }
        }
        Throwable root = failure;
        while (root.getMessage() == null && root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        return message == null ? root.getClass().getSimpleName() : message;
    }

    static String of(ShutdownSignalException shutdown) {
        Method reason = shutdown.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        return String.valueOf(shutdown.getMessage());
    }

    /** The code with which the broker closed the channel or the connection, if it did. */
    static OptionalInt replyCode(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException shutdown && !shutdown.isInitiatedByApplication()) {
                return replyCode(shutdown.getReason());
            }
        }
        return OptionalInt.empty();
    }

    private static OptionalInt replyCode(@Nullable Method reason) {
        if (reason instanceof AMQP.Channel.Close close) {
            return OptionalInt.of(close.getReplyCode());
        }
        return reason instanceof AMQP.Connection.Close close
                ? OptionalInt.of(close.getReplyCode())
                : OptionalInt.empty();
    }

    /** Whether the broker closed the channel, and only it, because of something that was sent on it. */
    static boolean isChannelRefusal(ShutdownSignalException shutdown) {
        return !shutdown.isHardError()
                && !shutdown.isInitiatedByApplication()
                && shutdown.getReason() instanceof AMQP.Channel.Close;
    }
}
