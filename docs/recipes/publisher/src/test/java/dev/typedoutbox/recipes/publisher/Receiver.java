package dev.typedoutbox.recipes.publisher;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.typedoutbox.OutboxEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A receiver of webhooks, on a port of this machine. */
final class Receiver implements AutoCloseable {
    /** Publishers connect with many requests at once. */
    private static final int BACKLOG = 1_000;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final int port;
    private final ExecutorService threads = Executors.newCachedThreadPool(Receiver::daemon);
    private final List<OutboxEvent> taken = new ArrayList<>();
    private volatile Function<OutboxEvent, Answer> script = event -> Answer.of(204);
    private HttpServer server;
    private boolean held;
    private int now;
    private int mostAtOnce;

    /** It closes the connection and answers nothing. */
    static final Answer HANG_UP = Answer.of(0);

    /** What it answers to an event; it takes the event if that is a success. */
    record Answer(int status, String body) {
        static Answer of(int status) {
            return new Answer(status, "");
        }
    }

    Receiver() {
        server = start(0);
        port = server.getAddress().getPort();
    }

    private HttpServer start(int onPort) {
        try {
            HttpServer started =
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), onPort), BACKLOG);
            started.createContext("/hooks", this::handle);
            started.setExecutor(threads);
            started.start();
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Cuts all connections, and is there again at once. */
    void restart() {
        server.stop(0);
        server = start(port);
    }

    int port() {
        return port;
    }

    URI uri() {
        return uri(port);
    }

    /** The same path, on another port. */
    static URI uri(int port) {
        return URI.create("http://127.0.0.1:" + port + "/hooks");
    }

    void answer(Function<OutboxEvent, Answer> answers) {
        script = answers;
    }

    void answer(int status) {
        script = event -> Answer.of(status);
    }

    /** Takes events from now on, and keeps its answers back. */
    synchronized void hold() {
        held = true;
    }

    synchronized void release() {
        held = false;
        notifyAll();
    }

    /** What it has taken, with repetitions. */
    synchronized List<OutboxEvent> taken() {
        return List.copyOf(taken);
    }

    /** How many requests it has had at the same time. */
    synchronized int mostAtOnce() {
        return mostAtOnce;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            OutboxEvent event = event(JSON.readTree(exchange.getRequestBody()));
            Answer answer = answerTo(event, exchange.getRequestHeaders().getFirst("Idempotency-Key"));
            if (answer.equals(HANG_UP)) {
                return;
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answerTo(OutboxEvent event, String key) {
        if (!key.equals("\"" + event.id() + "\"")) {
            return new Answer(400, "the key is " + key);
        }
        Answer answer = script.apply(event);
        if (!answer.equals(HANG_UP)) {
            keep(event, answer);
        }
        return answer;
    }

    private synchronized void keep(OutboxEvent event, Answer answer) {
        if (answer.status() / 100 == 2) {
            taken.add(event);
        }
        now++;
        mostAtOnce = Math.max(mostAtOnce, now);
        try {
            while (held) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        now--;
    }

    private static OutboxEvent event(JsonNode body) throws IOException {
        Map<String, Object> headers = new HashMap<>();
        body.required("headers").properties().forEach(header -> headers.put(header.getKey(), value(header.getValue())));
        return OutboxEvent.builder(UUID.fromString(body.required("id").textValue()))
                .aggregate(
                        body.required("aggregate_type").textValue(),
                        body.required("aggregate_id").textValue(),
                        body.required("seq").longValue())
                .eventType(body.required("type").textValue())
                .createdAt(Instant.parse(body.required("created_at").textValue()))
                .headers(headers)
                .payload(JSON.writeValueAsBytes(body.required("payload")))
                .build();
    }

    private static Object value(JsonNode header) {
        if (header.isBoolean()) {
            return header.booleanValue();
        }
        return header.isIntegralNumber() ? header.longValue() : header.textValue();
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "receiver");
        thread.setDaemon(true);
        return thread;
    }
}
