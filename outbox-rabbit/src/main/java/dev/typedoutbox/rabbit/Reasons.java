package dev.typedoutbox.rabbit;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Says in few words why the client or the broker ended something. */
final class Reasons {
    private static final int MAX_CHARACTERS = 1_000;
    private static final int MAX_CAUSES = 100;

    private Reasons() {}

    /** Somebody else's text, bounded, and without lines of its own in the log. */
    static String inOneLine(String text) {
        String printable = text.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "\uFFFD");
        return printable.codePointCount(0, printable.length()) <= MAX_CHARACTERS
                ? printable
                : printable.substring(0, printable.offsetByCodePoints(0, MAX_CHARACTERS));
    }

    static String of(Throwable failure) {
        List<Throwable> causes = causes(failure);
        for (Throwable cause : causes) {
            if (cause instanceof ShutdownSignalException shutdown) {
                return of(shutdown);
            }
        }
        return causes.stream()
                .map(Reasons::message)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> causes.get(causes.size() - 1).getClass().getSimpleName());
    }

    /** The failure and its causes, which somebody may have made into a circle. */
    private static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MAX_CAUSES; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    /** Null if it has none, also where somebody's own exception cannot say it. */
    private static @Nullable String message(Throwable failure) {
        try {
            return failure.getMessage();
        } catch (RuntimeException e) {
            return null;
        }
    }

    static String of(ShutdownSignalException shutdown) {
        Method reason = shutdown.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return close.getReplyCode() + " " + close.getReplyText();
        }
        Throwable cause = shutdown.getCause();
        String why = cause == null ? null : message(cause);
        return shutdown.getMessage() + (why == null ? "" : ": " + why);
    }

    /** The code with which the broker closed the channel or the connection, if it did. */
    static OptionalInt replyCode(Throwable failure) {
        for (Throwable cause : causes(failure)) {
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
