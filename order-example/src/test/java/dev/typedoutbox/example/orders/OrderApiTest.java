package dev.typedoutbox.example.orders;

import static dev.typedoutbox.testkit.outbox.OutboxAssertions.assertThatOutbox;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.Outbox;
import dev.typedoutbox.rabbit.RabbitPublisher;
import dev.typedoutbox.rabbit.Routing;
import dev.typedoutbox.relay.Relay;
import io.javalin.Javalin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The relay does not run: the API needs no broker. */
class OrderApiTest {
    private static final String UNKNOWN = "00000000-0000-4000-8000-000000000000";

    private final ExampleDatabase database = new ExampleDatabase();
    private final RabbitPublisher publisher =
            RabbitPublisher.create(new ConnectionFactory(), Routing.toExchange("none"));
    private final Javalin http = new OrderApi(
                    new OrderService(database.dsl(), Outbox.create()),
                    database.dsl(),
                    Relay.create(database.dataSource(), publisher))
            .start(0);
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        http.stop();
        publisher.close();
    }

    @Test
    void orderIsPlacedPaidCancelledAndRead() throws Exception {
        HttpResponse<String> placed = post("/orders", order("李雷 🎁", "JPY", "1", "16609"));
        String path = placed.headers().firstValue("Location").orElseThrow();

        assertThat(placed.statusCode()).isEqualTo(201);
        assertThat(placed.body())
                .contains(
                        "\"id\":\"" + path.substring("/orders/".length()),
                        "\"status\":\"created\"",
                        "\"total\":16609,");
        assertThat(post(path + "/pay", "").body()).contains("\"status\":\"paid\"");
        assertThat(post(path + "/cancel", "").body()).contains("\"status\":\"cancelled\"");
        HttpResponse<String> found = get(path);
        assertThat(found.statusCode()).isEqualTo(200);
        assertThat(found.body()).contains("\"status\":\"cancelled\"", "李雷 🎁");
        assertThatOutbox(database.dataSource()).hasExactlyTypes("order.created", "order.paid", "order.cancelled");
    }

    @Test
    void amountsKeepTheirDecimals() throws Exception {
        assertThat(post("/orders", order("A", "EUR", "3", "0.1")).body()).contains("\"total\":0.30,");
        assertThat(post("/orders", order("A", "BHD", "2", "1.005")).body()).contains("\"total\":2.010,");
        assertThat(post("/orders", order("A", "USD", "1", "999999999999.99")).body())
                .contains("\"total\":999999999999.99,");
    }

    @Test
    void healthTellsWhatTheRelayDoes() throws Exception {
        assertThat(get("/health").body()).contains("\"status\":\"up\"", "\"relay\":\"STOPPED\"");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {                                   | body must be JSON in UTF-8 (was not: Unexpected end-of-input
                    {} {}                               | body must be JSON in UTF-8 (was not: Trailing token
                    {"customer":"A","customer":"B"}     | body must be JSON in UTF-8 (was not: Duplicate field 'customer'
                    []                                  | body must be a JSON object (was [])
                    {"currency":"EUR"}                  | customer must be a text of 1 to 200 characters (was missing)
                    {"customer":" "}                    | customer must be a text of 1 to 200 characters (was " ")
                    {"customer":7}                      | customer must be a text of 1 to 200 characters (was 7)
                    {"customer":"A\\u0000"}              | customer must be Unicode text without U+0000 (was not)
                    {"customer":"A\\ud83c"}              | customer must be Unicode text without U+0000 (was not)
                    {"customer":"A"}                    | currency must be an ISO 4217 code such as EUR (was missing)
                    {"customer":"A","currency":7}       | currency must be an ISO 4217 code such as EUR (was 7)
                    {"customer":"A","currency":null}    | currency must be an ISO 4217 code such as EUR (was null)
                    {"customer":"A","currency":["EUR"]} | currency must be an ISO 4217 code such as EUR (was ["EUR"])
                    {"customer":"A","currency":"E\\ud83c"} | currency must be an ISO 4217 code such as EUR (was "E
                    {"customer":"A","currency":"EUQ"}   | currency must be an ISO 4217 code such as EUR (was "EUQ")
                    {"customer":"A","currency":"XAU"}   | currency must be an ISO 4217 code such as EUR (was "XAU")
                    {"customer":"A","currency":"EUR"}   | items must be a list of 1 to 100 objects (was missing)
                    {"customer":"A","currency":"EUR","items":[]}  | items must be a list of 1 to 100 objects (was [])
                    {"customer":"A","currency":"EUR","items":[1]} | items[0] must be an object (was 1)
                    """)
    void unreadableOrderIsRefused(String body, String error) throws Exception {
        assertRefused(post("/orders", body), 400, error);
    }

    @Test
    void currencyIsToldToBeACodeHoweverLongItIs() throws Exception {
        assertRefused(
                post("/orders", order("A", "x".repeat(201), "1", "1")),
                400,
                "currency must be an ISO 4217 code such as EUR (was \"" + "x".repeat(59) + "...)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    EUR | 0   | 1      | items[0].quantity must be a whole number from 1 to 10000 (was 0)
                    EUR | 1.5 | 1      | items[0].quantity must be a whole number from 1 to 10000 (was 1.5)
                    EUR | 1   | -3.50  | items[0].price must be a number, 0 or more (was -3.50)
                    EUR | 1   | "1"    | items[0].price must be a number, 0 or more (was \\"1\\")
                    EUR | 1   | 1.001  | items[0].price must be a number with at most 12 digits before and 2 after
                    JPY | 1   | 1.5    | items[0].price must be a number with at most 12 digits before and 0 after
                    EUR | 1   | 1e99999 | (was 1E+99999)
                    """)
    void wrongAmountIsRefused(String currency, String quantity, String price, String error) throws Exception {
        assertRefused(post("/orders", order("A", currency, quantity, price)), 400, error);
    }

    @Test
    void unknownOrderIsNotFound() throws Exception {
        assertRefused(get("/orders/" + UNKNOWN), 404, "id must be the id of an order (was " + UNKNOWN + ")");
        assertRefused(post("/orders/" + UNKNOWN + "/pay", ""), 404, "id must be the id of an order");
        assertRefused(get("/orders/7"), 400, "id must be a UUID (was \\\"7\\\")");
        assertRefused(get("/nothing"), 404, "/nothing not found");
    }

    @Test
    void changeThatDoesNotGoWithTheOrderIsAConflict() throws Exception {
        String path = post("/orders", order("A", "EUR", "1", "1"))
                .headers()
                .firstValue("Location")
                .orElseThrow();
        post(path + "/cancel", "");

        assertRefused(post(path + "/pay", ""), 409, "status must be created to become paid (was cancelled");
    }

    @Test
    void bodyThatIsTooLargeOrNoTextIsRefused() throws Exception {
        assertRefused(post("/orders", "x".repeat(1_000_001)), 413, "Content Too Large");
        byte[] latin1 = "{\"customer\":\"Zoë\"}".getBytes(StandardCharsets.ISO_8859_1);
        assertRefused(
                send(request("/orders").POST(BodyPublishers.ofByteArray(latin1))), 400, "body must be JSON in UTF-8");
    }

    private void assertRefused(HttpResponse<String> response, int status, String error) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body()).startsWith("{\"error\":\"").endsWith("\"}");
        assertThat(response.body().replace("\\\"", "\"")).contains(error.replace("\\\"", "\""));
        assertThat(response.body()).doesNotContain("Exception", "dev.typedoutbox");
    }

    private static String order(String customer, String currency, String quantity, String price) {
        return "{\"customer\":\"%s\",\"currency\":\"%s\",\"items\":[{\"article\":\"Teapot\",\"quantity\":%s,\"price\":%s}]}"
                .formatted(customer, currency, quantity, price);
    }

    private HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(request(path).POST(BodyPublishers.ofString(body)));
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
