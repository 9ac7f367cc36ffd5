package dev.typedoutbox.example;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Says in two words why a server cannot be reached. */
final class NetworkReason {
    private static final int MOST_CAUSES = 20;

    private NetworkReason() {}

    static Optional<String> of(Throwable failure) {
        return causes(failure)
                .map(NetworkReason::name)
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** The failure and its causes, which somebody may have made into a circle. */
    static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
    }

    static String firstLine(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        return message.lines().findFirst().orElse("no reason given").strip();
    }

    private static Optional<String> name(Throwable cause) {
        if (cause instanceof UnknownHostException) {
            return Optional.of("unknown host");
        }
        if (cause instanceof NoRouteToHostException) {
            return Optional.of("no route to host");
        }
        if (cause instanceof ConnectException) {
            return Optional.of("connection refused");
        }
        return cause instanceof SocketTimeoutException || cause instanceof TimeoutException
                ? Optional.of("no answer in time")
                : Optional.empty();
    }
}
