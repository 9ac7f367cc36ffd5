package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A script that talks to the page. It does not follow redirects. */
final class AdminClient {
    static final String[] OWN = {Guard.CHANGE_HEADER, "test"};
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI root;

    AdminClient(URI root) {
        this.root = root;
    }

    HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String body, String... headers) {
        return post(path, BodyPublishers.ofString(body), headers);
    }

    HttpResponse<String> post(String path, BodyPublisher body, String... headers) {
        return send(request(path, headers).POST(body), BodyHandlers.ofString());
    }

    /** A change as the page's own script makes it. */
    HttpResponse<String> change(String path, String body) {
        return post(path, body, OWN);
    }

    JsonNode json(String path) {
        return json(get(path));
    }

    static JsonNode json(HttpResponse<String> response) {
        try {
            return MAPPER.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    EventReader stream(String... headers) {
        return new EventReader(send(request(LiveStream.PATH, headers), BodyHandlers.ofLines()));
    }

    /** The status of an answer to a request that was written by hand, as no client would send it. */
    int rawStatus(String request) {
        try (Socket socket = new Socket(root.getHost(), root.getPort())) {
            socket.getOutputStream().write(request.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
            String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
            return Integer.parseInt(line.substring("HTTP/1.1 ".length()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(path));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private <T> HttpResponse<T> send(HttpRequest.Builder request, BodyHandler<T> handler) {
        try {
            return http.send(request.build(), handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
