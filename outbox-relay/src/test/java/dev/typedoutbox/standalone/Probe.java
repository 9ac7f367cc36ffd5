package dev.typedoutbox.standalone;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Asks a page of health and metrics. */
final class Probe {
    private static final Duration ANSWER = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private final int port;

    Probe(int port) {
        this.port = port;
    }

    HttpResponse<String> get(String path) {
        return send("GET", path);
    }

    HttpResponse<String> send(String method, String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(ANSWER)
                .build();
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
