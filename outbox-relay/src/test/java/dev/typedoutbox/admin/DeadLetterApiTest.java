package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeadLetterApiTest {
    private static final String ROOT = "/api/dead-letters";

    private final AdminFixture page = AdminFixture.open();
    private final AdminClient client = page.client();

    @AfterEach
    void close() {
        page.close();
    }

    private List<String> ids(String query) {
        return client.json(ROOT + query).path("deadLetters").findValuesAsText("id");
    }

    private int dead() {
        return page.database().count("dead_at is not null");
    }

    @Test
    void deadLetterIsToldWithItsReason() {
        UUID id = page.dead("7", "order.paid", "NO_ROUTE");
        JsonNode letter = client.json(ROOT).at("/deadLetters/0");
        assertThat(letter.path("id").asText()).isEqualTo(id.toString());
        assertThat(letter.path("eventType").asText()).isEqualTo("order.paid");
        assertThat(letter.path("aggregateType").asText()).isEqualTo("order");
        assertThat(letter.path("aggregateId").asText()).isEqualTo("7");
        assertThat(letter.path("attempts").asInt()).isEqualTo(3);
        assertThat(letter.path("lastError").asText()).isEqualTo("NO_ROUTE");
        assertThat(letter.path("deadAt").asText()).endsWith("Z");
        assertThat(letter.has("payload")).isFalse();
    }

    @Test
    void pagesFollowOneAnotherWithoutGapOrRepetition() {
        List<String> written = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            written.add(page.dead("1", "order.paid", "refused").toString());
        }
        List<String> read = new ArrayList<>();
        JsonNode next = null;
        int pages = 0;
        do {
            JsonNode answer = client.json(ROOT + "?limit=3" + (next == null ? "" : "&after=" + next.asLong()));
            read.addAll(answer.path("deadLetters").findValuesAsText("id"));
            next = answer.path("next");
            pages++;
        } while (!next.isNull());
        assertThat(read).isEqualTo(written);
        assertThat(pages).isEqualTo(3);
    }

    @Test
    void filterNarrowsListCountAndChanges() {
        String paid = page.dead("1", "order.paid", "NO_ROUTE to x").toString();
        String sent = page.dead("2", "order.sent", "nacked").toString();

        assertThat(ids("?eventType=order.paid")).containsExactly(paid);
        assertThat(ids("?aggregateType=order&aggregateId=2")).containsExactly(sent);
        assertThat(ids("?errorContaining=NO_ROUTE")).containsExactly(paid);
        assertThat(ids("?diedSince=2000-01-01T00:00:00Z")).containsExactly(paid, sent);
        assertThat(ids("?diedBefore=2000-01-01T00:00:00Z")).isEmpty();
        assertThat(client.json(ROOT + "/count?eventType=order.sent")
                        .path("count")
                        .asInt())
                .isEqualTo(1);

        HttpResponse<String> retried = client.change(ROOT + "/retry", "{\"filter\":{\"eventType\":\"order.paid\"}}");
        assertThat(retried.body()).isEqualTo("{\"retried\":1}");
        assertThat(ids("")).containsExactly(sent);
        assertThat(client.change(ROOT + "/discard", "{\"filter\":{},\"reason\":\"test data\"}")
                        .body())
                .isEqualTo("{\"discarded\":1}");
        assertThat(page.database().value("select last_error from outbox_events where id = ?::uuid", sent))
                .isEqualTo("discarded: test data");
    }

    @Test
    void oneIsRetriedOnce() {
        UUID id = page.dead("1", "order.paid", "refused");
        assertThat(client.change(ROOT + "/" + id + "/retry", "").body()).isEqualTo("{\"retried\":1}");
        assertThat(page.database().count("dead_at is null and attempts = 0")).isEqualTo(1);

        HttpResponse<String> again = client.change(ROOT + "/" + id + "/retry", "");
        assertThat(again.statusCode()).isEqualTo(404);
        assertThat(AdminClient.json(again).path("error").asText())
                .isEqualTo(id + " is no dead letter any more: it was retried or discarded in the meantime, or never was"
                        + " one");
        assertThat(client.get(ROOT + "/" + id).statusCode()).isEqualTo(404);
        assertThat(client.change(ROOT + "/" + id + "/discard", "{\"reason\":\"x\"}")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void oneIsDiscardedWithAReason() {
        UUID id = page.dead("1", "order.paid", "refused");
        assertThat(client.change(ROOT + "/" + id + "/discard", "{\"reason\":\" obsolete \"}")
                        .body())
                .isEqualTo("{\"discarded\":1}");
        assertThat(page.database().value("select last_error from outbox_events"))
                .isEqualTo("discarded: obsolete");
    }

    @Test
    void payloadIsHiddenUnlessTheSettingsShowIt() {
        UUID id = page.dead("1", "order.paid", "refused");
        assertThat(client.get(ROOT + "/" + id).body()).doesNotContain("payload", "1.10", "tenant", "blue");

        try (AdminFixture showing = new AdminFixture(settings -> settings.showPayloads(true))) {
            UUID shown = showing.dead("1", "order.paid", "refused");
            JsonNode letter = showing.client().json(ROOT + "/" + shown);
            assertThat(letter.path("payload").asText()).isEqualTo("{\"total\": 1.10}");
            assertThat(letter.at("/headers/tenant").asText()).isEqualTo("blue");
            assertThat(showing.client().json(ROOT).at("/deadLetters/0").has("payload"))
                    .isFalse();
        }
    }

    @Test
    void largePayloadIsNotRead() {
        try (AdminFixture showing = new AdminFixture(settings -> settings.showPayloads(true))) {
            String payload = "\"" + "x".repeat(DeadLetterJson.LARGEST_READ) + "\"";
            UUID id = showing.database().dead("1", "order.paid", "refused", payload);
            JsonNode letter = showing.client().json(ROOT + "/" + id);
            assertThat(letter.has("payload")).isFalse();
            assertThat(letter.path("bytes").asInt()).isGreaterThan(DeadLetterJson.LARGEST_READ);
        }
    }

    @Test
    void hostileTextStaysText() {
        String type = "</script><script>alert(1)</script>\u202e" + "W".repeat(60);
        page.dead("\"},{\"a\":\"", type, "<img src=x onerror=alert(1)>\n\u2028");
        HttpResponse<String> response = client.get(ROOT);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/json");
        JsonNode letter = AdminClient.json(response).at("/deadLetters/0");
        assertThat(letter.path("eventType").asText()).isEqualTo(type);
        assertThat(letter.path("aggregateId").asText()).isEqualTo("\"},{\"a\":\"");
        assertThat(letter.path("lastError").asText()).isEqualTo("<img src=x onerror=alert(1)>\n\u2028");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ?limit=0              | limit must be a whole number from 1 to 200 (was 0)
                    ?limit=201            | limit must be a whole number from 1 to 200 (was 201)
                    ?limit=x              | limit must be a whole number from 1 to 200 (was x)
                    ?after=-1             | after must be a whole number from 0 to 9223372036854775807 (was -1)
                    ?eventType=           | eventType must be 1 to 100 characters (was 0)
                    ?type=order.paid      | filter must have no other properties than aggregateId, aggregateType, diedBefore, diedSince, errorContaining, eventType (was one named type)
                    ?diedSince=yesterday  | diedSince must be a time such as 2026-11-01T12:00:00Z (was yesterday)
                    ?errorContaining=%00  | errorContaining must not contain U+0000 (was at index 0)
                    /7                    | id must be a UUID (was 7)
                    /1-1-1-1-1            | id must be a UUID (was 1-1-1-1-1)
                    ?diedSince=%2B300000-01-01T00:00:00Z | diedSince must be in the years 1 to 294275, which the database can hold (was +300000-01-01T00:00:00Z)
                    """)
    void queryThatIsNotUnderstoodIsRefused(String query, String error) {
        HttpResponse<String> response = client.get(ROOT + query);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(AdminClient.json(response).path("error").asText()).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    ``                                              | filter must be an object, {} for all dead letters (was missing)
                    {}                                              | filter must be an object, {} for all dead letters (was missing)
                    {"filter":null}                                 | filter must be an object, {} for all dead letters (was null)
                    {"filter":[]}                                   | filter must be an object, {} for all dead letters (was array)
                    {"filter":{"eventtype":"x"}}                    | filter must have no other properties than aggregateId, aggregateType, diedBefore, diedSince, errorContaining, eventType (was one named eventtype)
                    {"filter":{"eventType":7}}                      | eventType must be a text (was number)
                    {"filter":{"eventType":""}}                     | eventType must be 1 to 100 characters (was 0)
                    {"filter":{"eventType":"a"},"filter":{}}        | body must be JSON in UTF-8 (was not)
                    {"filter":{}} x                                 | body must be JSON in UTF-8 (was not)
                    {"filter":{}                                    | body must be JSON in UTF-8 (was not)
                    """)
    void changeThatIsNotUnderstoodChangesNothing(String body, String error) {
        page.dead("1", "order.paid", "refused");
        HttpResponse<String> response = client.change(ROOT + "/retry", body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(AdminClient.json(response).path("error").asText()).isEqualTo(error);
        assertThat(dead()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                       | reason must be a text (was not)
                    {"reason":""}            | reason must be 1 to 1000 characters (was 0)
                    {"reason":" "}           | reason must be 1 to 1000 characters (was 0)
                    {"reason":"\\u0000"}     | reason must not contain U+0000 (was at index 0)
                    """)
    void discardNeedsAReason(String body, String error) {
        UUID id = page.dead("1", "order.paid", "refused");
        HttpResponse<String> response = client.change(ROOT + "/" + id + "/discard", body);
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(AdminClient.json(response).path("error").asText()).isEqualTo(error);
        assertThat(dead()).isEqualTo(1);
    }

    @Test
    void databaseThatFailsIsNamedWithoutDetails() {
        page.database().execute("alter table outbox_events rename to elsewhere");
        HttpResponse<String> response = client.get(ROOT);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).isEqualTo("{\"error\":\"the database did not do it; the log says why\"}");
    }
}
