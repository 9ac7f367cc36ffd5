package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page without a token, which trusts whoever is on this machine, but no web site that their browser shows. */
class GuardTest {
    private final AdminFixture page = AdminFixture.open();
    private final AdminClient client = page.client();

    @AfterEach
    void close() {
        page.close();
    }

    private String get(String host) {
        return "GET /api/status HTTP/1.1\nHost: " + host + "\nConnection: close\n\n";
    }

    private int retryWith(String... headers) {
        UUID id = page.dead("1", "order.paid", "refused");
        int status =
                client.post("/api/dead-letters/" + id + "/retry", "", headers).statusCode();
        assertThat(page.database().count("dead_at is null and id = '" + id + "'"))
                .isEqualTo(status == 200 ? 1 : 0);
        return status;
    }

    @Test
    void siteWhoseNameLeadsHereIsToldNothing() {
        assertThat(client.rawStatus(get("127.0.0.1:" + page.server().port()))).isEqualTo(200);
        assertThat(client.rawStatus(get("localhost:9999"))).isEqualTo(200);
        assertThat(client.rawStatus(get("evil.example"))).isEqualTo(421);
        assertThat(client.rawStatus(get("evil.example").replace("/api/status", "/")))
                .isEqualTo(421);
        assertThat(client.rawStatus(get("evil.example").replace("/api/status", "/assets/main.js")))
                .isEqualTo(421);
        assertThat(client.rawStatus("GET /api/status HTTP/1.0\n\n")).isEqualTo(421);
    }

    @Test
    void changeOfThePageItselfIsMade() {
        String origin = "http://127.0.0.1:" + page.server().port();
        assertThat(retryWith(AdminClient.OWN)).isEqualTo(200);
        assertThat(retryWith(Guard.CHANGE_HEADER, "page", "Origin", origin, "Sec-Fetch-Site", "same-origin"))
                .isEqualTo(200);
    }

    @Test
    void changeOfAnotherSiteIsRefused() {
        assertThat(retryWith()).isEqualTo(403);
        assertThat(retryWith("Content-Type", "text/plain")).isEqualTo(403);
        assertThat(retryWith("Authorization", "Bearer 0123456789abcdef")).isEqualTo(403);
        assertThat(retryWith(Guard.CHANGE_HEADER, "page", "Origin", "http://evil.example"))
                .isEqualTo(403);
        assertThat(retryWith(Guard.CHANGE_HEADER, "page", "Origin", "null")).isEqualTo(403);
        assertThat(retryWith(Guard.CHANGE_HEADER, "page", "Origin", "http://127.0.0.1:1"))
                .isEqualTo(403);
        assertThat(retryWith(Guard.CHANGE_HEADER, "page", "Sec-Fetch-Site", "cross-site"))
                .isEqualTo(403);
        assertThat(retryWith(Guard.CHANGE_HEADER, "page", "Sec-Fetch-Site", "same-site"))
                .isEqualTo(403);
        assertThat(client.post("/api/dead-letters/retry", "{\"filter\":{}}").body())
                .isEqualTo("{\"error\":\"a change must come from this page, or have the header X-Outbox-Admin or the"
                        + " token\"}");
    }

    @Test
    void methodThatIsOverriddenIsAChange() {
        UUID id = page.dead("1", "order.paid", "refused");
        String path = "/api/dead-letters/" + id + "/retry";
        assertThat(client.get(path, "X-HTTP-Method-Override", "POST").statusCode())
                .isEqualTo(403);
        assertThat(page.database().count("dead_at is null")).isZero();
    }

    @Test
    void everyAnswerHasTheHeaders() {
        String id = page.dead("1", "order.paid", "refused").toString();
        Stream.of(
                        client.get("/"),
                        client.get("/login"),
                        client.get("/assets/admin.css"),
                        client.get("/api/status"),
                        client.get("/api/dead-letters/" + id),
                        client.get("/nothing"),
                        client.get("/api/dead-letters/x"),
                        client.post("/api/dead-letters/retry", "{}"),
                        client.post("/", "", AdminClient.OWN))
                .forEach(GuardTest::assertHeaders);
    }

    private static void assertHeaders(HttpResponse<String> response) {
        assertThat(response.headers().firstValue("Content-Security-Policy"))
                .as(response.uri().getPath())
                .hasValue("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
                        + " img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'");
        assertThat(response.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(response.headers().firstValue("Referrer-Policy")).hasValue("same-origin");
        assertThat(response.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(response.headers().firstValue("Server")).isEmpty();
        assertThat(response.headers().firstValue("X-Powered-By")).isEmpty();
        assertThat(response.headers().firstValue("Access-Control-Allow-Origin")).isEmpty();
        assertThat(response.body()).doesNotContain("Jetty", "Javalin", "Exception");
    }

    @Test
    void brokenRequestIsNotToldWhatAnswersIt() {
        assertThat(client.rawStatus("GET /" + "%".repeat(3) + " HTTP/1.1\nHost: localhost\n\n"))
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/assets/..%2findex.html", "/assets/../AdminServer.class", "/assets/", "/assets/login.html", "/x"
            })
    void onlyThePagesFilesAreServed(String path) {
        assertThat(client.rawStatus("GET " + path + " HTTP/1.1\nHost: localhost\nConnection: close\n\n"))
                .isBetween(400, 404);
    }

    @Test
    void filesOfThePageNeedNobodyElse() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/dev/typedoutbox/admin"))) {
            assertThat(files).hasSizeGreaterThan(10).allSatisfy(GuardTest::assertNeedsNobodyElse);
        }
    }

    private static void assertNeedsNobodyElse(Path file) throws IOException {
        assertThat(Files.readString(file).replace("http://www.w3.org/2000/svg", ""))
                .doesNotContain("http:", "https:", "//cdn", "innerHTML", "outerHTML", "insertAdjacentHTML")
                .doesNotContain("document.write", "eval(", "onclick=", "style=\"", "<script>", "<style");
    }

    @Test
    void bodyThatIsTooLargeIsRefused() {
        String body = "{\"filter\":{},\"reason\":\"" + "x".repeat(AdminRoutes.LARGEST_BODY) + "\"}";
        page.dead("1", "order.paid", "refused");
        assertThat(client.change("/api/dead-letters/discard", body).statusCode())
                .isEqualTo(413);
        assertThat(client.post(
                                "/api/dead-letters/discard",
                                BodyPublishers.fromPublisher(BodyPublishers.ofString(body)),
                                AdminClient.OWN)
                        .statusCode())
                .isEqualTo(413);
        assertThat(page.database().count("dead_at is not null")).isEqualTo(1);
    }

    @Test
    void readOnlyPageChangesNothing() {
        try (AdminFixture readOnly = new AdminFixture(settings -> settings.readOnly(true))) {
            String id = readOnly.dead("1", "order.paid", "refused").toString();
            Stream.of(
                            "/api/dead-letters/" + id + "/retry",
                            "/api/dead-letters/" + id + "/discard",
                            "/api/dead-letters/retry",
                            "/api/dead-letters/discard")
                    .map(path -> readOnly.client().change(path, "{\"filter\":{},\"reason\":\"x\"}"))
                    .forEach(response -> {
                        assertThat(response.statusCode()).isEqualTo(403);
                        assertThat(response.body())
                                .isEqualTo("{\"error\":\"readOnly must be false to change anything (was true)\"}");
                    });
            assertThat(readOnly.database().count("dead_at is not null")).isEqualTo(1);
            assertThat(readOnly.client().get("/api/dead-letters/" + id).statusCode())
                    .isEqualTo(200);
        }
    }
}
