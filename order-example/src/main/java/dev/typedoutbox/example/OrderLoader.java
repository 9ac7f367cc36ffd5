package dev.typedoutbox.example;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plays the file through the HTTP API: several orders at a time, the steps of each in sequence. */
final class OrderLoader {
    private static final int AT_A_TIME = 8;
    private static final long MILLIS_BETWEEN_ORDERS = 200;
    private static final Logger LOG = LoggerFactory.getLogger(OrderLoader.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI service;

    OrderLoader(URI service) {
        this.service = service;
    }

    /** Returns the ids of the orders. */
    List<String> load(List<ScriptedOrder> orders, IntConsumer progress) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<String>> placed = new ArrayList<>();
            orders.forEach(order -> placed.add(threads.submit(() -> play(order))));
            List<String> ids = new ArrayList<>();
            for (Future<String> order : placed) {
                ids.add(order.get());
                progress.accept(ids.size());
            }
            return ids;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof ExampleFailure failure
                    ? failure
                    : ExampleFailure.of(
                            "the orders could not be loaded through " + service + ": "
                                    + NetworkReason.of(e).orElse(NetworkReason.firstLine(e)),
                            e);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Plays one order after the other, again and again. */
    void keepPlacing(List<ScriptedOrder> orders) throws InterruptedException {
        for (int next = 0; ; next = (next + 1) % orders.size()) {
            TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_ORDERS);
            try {
                play(orders.get(next));
            } catch (IOException | ExampleFailure e) {
                // As when a server is away, which is worth looking at on the admin page.
                LOG.atWarn().addKeyValue("reason", NetworkReason.firstLine(e)).log("an order could not be placed");
                TimeUnit.SECONDS.sleep(1);
            }
        }
    }

    private String play(ScriptedOrder order) throws IOException, InterruptedException {
        String id = "";
        for (String step : order.happens()) {
            switch (step) {
                case "created" -> id = post("/orders", order.body(), 201);
                case "paid" -> post("/orders/" + id + "/pay", "", 200);
                case "cancelled" -> post("/orders/" + id + "/cancel", "", 200);
                default ->
                    throw new IllegalArgumentException("step must be created, paid or cancelled (was " + step + ")");
            }
        }
        return id;
    }

    private String post(String path, String body, int expected) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(service + path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        if (response.statusCode() != expected) {
            throw ExampleFailure.of(
                    "POST " + path + " must answer " + expected + " (was " + response.statusCode() + " "
                            + response.body() + ")",
                    null);
        }
        return idIn(response.body());
    }

    private static String idIn(String body) throws JsonProcessingException {
        return MAPPER.readTree(body).path("id").asText();
    }
}
