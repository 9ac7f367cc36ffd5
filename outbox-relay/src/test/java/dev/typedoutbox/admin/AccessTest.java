package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AccessTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    private final AdminFixture page = new AdminFixture(settings -> settings.token(AdminFixture.TOKEN));
    private final AdminClient client = page.client();

    @AfterEach
    void close() {
        page.close();
    }

    private HttpResponse<String> signIn(String token) {
        return client.post(
                "/login", "token=" + token, "Content-Type", FORM, "Origin", origin(), "Sec-Fetch-Site", "same-origin");
    }

    private String origin() {
        return "http://127.0.0.1:" + page.server().port();
    }

    private String session() {
        String cookie =
                signIn(AdminFixture.TOKEN).headers().firstValue("Set-Cookie").orElseThrow();
        return cookie.substring(0, cookie.indexOf(';'));
    }

    @Test
    void nothingIsToldWithoutTheToken() {
        for (String path :
                new String[] {"/api/status", "/api/stream", "/api/dead-letters", "/api/nothing", "/nothing"}) {
            HttpResponse<String> response = client.get(path);
            assertThat(response.statusCode()).as(path).isEqualTo(401);
            assertThat(response.headers().firstValue("WWW-Authenticate")).hasValue("Bearer");
            assertThat(response.body())
                    .isEqualTo("{\"error\":\"the token must be shown: log in, or send it as a bearer token\"}");
        }
        assertThat(client.change("/api/dead-letters/retry", "{\"filter\":{}}").statusCode())
                .isEqualTo(401);
    }

    @Test
    void pageLeadsToTheLogInForm() {
        HttpResponse<String> response = client.get("/");
        assertThat(response.statusCode()).isEqualTo(303);
        assertThat(response.headers().firstValue("Location")).hasValue("login");
        assertThat(client.get("/login").body()).contains("<form method=\"post\" action=\"login\">");
        assertThat(client.get("/assets/admin.css").statusCode()).isEqualTo(200);
    }

    @Test
    void tokenGivesASessionThatIsNotTheToken() {
        HttpResponse<String> response = signIn(AdminFixture.TOKEN);
        String cookie = response.headers().firstValue("Set-Cookie").orElseThrow();

        assertThat(response.statusCode()).isEqualTo(303);
        assertThat(response.headers().firstValue("Location")).hasValue("./");
        assertThat(cookie)
                .startsWith("outbox-admin-" + page.server().port() + "=")
                .contains("; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict")
                .doesNotContain(AdminFixture.TOKEN, "Secure");
        String session = cookie.substring(0, cookie.indexOf(';'));
        assertThat(client.get("/", "Cookie", session).statusCode()).isEqualTo(200);
        assertThat(client.get("/api/status", "Cookie", session).statusCode()).isEqualTo(200);
        assertThat(client.get("/login", "Cookie", session).statusCode()).isEqualTo(303);
        assertThat(client.get("/api/status", "Cookie", session + "x").statusCode())
                .isEqualTo(401);
    }

    @Test
    void uploadIsNotRead() {
        String form =
                "--x\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n" + AdminFixture.TOKEN + "\r\n--x--\r\n";
        HttpResponse<String> response =
                client.post("/login", form, "Content-Type", "multipart/form-data; boundary=x", "Origin", origin());

        assertThat(response.statusCode()).isEqualTo(415);
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
    }

    @Test
    void cookieIsSecureBehindTls() {
        String host = "127.0.0.1:" + page.server().port();
        HttpResponse<String> response =
                client.post("/login", "token=" + AdminFixture.TOKEN, "Content-Type", FORM, "Origin", "https://" + host);
        assertThat(response.headers().firstValue("Set-Cookie").orElseThrow()).endsWith("; Secure");
    }

    @Test
    void logOutEndsTheSession() {
        String session = session();
        HttpResponse<String> response = client.post("/api/logout", "", "Cookie", session, Guard.CHANGE_HEADER, "test");
        assertThat(response.statusCode()).isEqualTo(204);
        assertThat(response.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
        assertThat(client.get("/api/status", "Cookie", session).statusCode()).isEqualTo(401);
    }

    @Test
    void wrongTokenIsToldInTheForm() {
        HttpResponse<String> response = signIn("0123456789abcdeF");
        assertThat(response.statusCode()).isEqualTo(401);
        assertThat(response.headers().firstValue("Set-Cookie")).isEmpty();
        assertThat(response.body()).contains("This is not the token.", "<form");
        assertThat(signIn("").statusCode()).isEqualTo(401);
    }

    @Test
    void bearerTokenIsForScripts() {
        assertThat(client.get("/api/status", "Authorization", "Bearer " + AdminFixture.TOKEN)
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.post(
                                "/api/dead-letters/retry",
                                "{\"filter\":{}}",
                                "Authorization",
                                "Bearer " + AdminFixture.TOKEN)
                        .statusCode())
                .isEqualTo(200);
        assertThat(client.get("/api/status", "Authorization", "Bearer " + AdminFixture.TOKEN + "0")
                        .statusCode())
                .isEqualTo(401);
        assertThat(client.get("/api/status", "Authorization", "Basic " + AdminFixture.TOKEN)
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void tenWrongTokensAreEnough() {
        String session = session();
        IntStream.range(0, Attempts.MOST - 1)
                .forEach(i -> assertThat(signIn("wrong").statusCode()).isEqualTo(401));
        assertThat(client.get("/api/status", "Authorization", "Bearer wrong").statusCode())
                .isEqualTo(401);

        assertThat(signIn(AdminFixture.TOKEN).statusCode()).isEqualTo(429);
        HttpResponse<String> response = client.get("/api/status", "Authorization", "Bearer " + AdminFixture.TOKEN);
        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("60");
        assertThat(client.get("/api/status", "Cookie", session).statusCode()).isEqualTo(200);
    }

    @Test
    void openPageEndsWithItsSession() {
        String session = session();
        try (EventReader stream = client.stream("Cookie", session)) {
            stream.next("status");
            client.post("/api/logout", "", "Cookie", session, Guard.CHANGE_HEADER, "test");
            stream.awaitEnd();
        }
    }

    @Test
    void openPageOfAScriptOutlastsTheWrongTokensOfOthers() {
        try (EventReader stream = client.stream("Authorization", "Bearer " + AdminFixture.TOKEN)) {
            stream.next("status");
            IntStream.range(0, Attempts.MOST)
                    .forEach(i -> assertThat(signIn("wrong").statusCode()).isEqualTo(401));
            assertThat(signIn("wrong").statusCode()).isEqualTo(429);

            for (int more = 0; more < 3; more++) {
                assertThat(stream.next("status").path("pending").isObject()).isTrue();
            }
        }
    }

    @Test
    void anyNameMayLeadToAPageWithAToken() {
        assertThat(client.rawStatus("GET /login HTTP/1.1\nHost: outbox.example\nConnection: close\n\n"))
                .isEqualTo(200);
    }
}
