package dev.typedoutbox.rabbit;

import java.io.IOException;

/** The connection is sound, but has as many channels as the broker allows. */
final class NoChannelLeftException extends IOException {
    private static final long serialVersionUID = 1L;

    NoChannelLeftException() {
        super(
                "the connection has no channel left; the broker's channel_max must allow for one for each worker, or channel of the consumer");
    }
}
