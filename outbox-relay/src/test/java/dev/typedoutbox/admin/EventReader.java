package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.util.Iterator;
import java.util.stream.Stream;

/** Reads server-sent events. */
final class EventReader implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpResponse<Stream<String>> response;
    private final Iterator<String> lines;

    EventReader(HttpResponse<Stream<String>> response) {
        this.response = response;
        this.lines = response.body().iterator();
    }

    int status() {
        return response.statusCode();
    }

    /** Waits for the next event of that name. */
    JsonNode next(String name) {
        while (!lines.next().equals("event: " + name)) {
            // Another event, or a part of one.
        }
        return json(lines.next().substring("data: ".length()));
    }

    /** Waits until the server has ended the stream. */
    void awaitEnd() {
        try {
            while (lines.hasNext()) {
                lines.next();
            }
        } catch (UncheckedIOException e) {
            // Cut off is an end, too.
        }
    }

    private static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        response.body().close();
    }
}
