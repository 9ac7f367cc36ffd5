package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetterFilter;
import dev.typedoutbox.deadletter.DeadLetters;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpStatus;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Dead letters over HTTP: list, show, retry and discard. Who changed what is logged. */
final class DeadLetterApi {
    static final int MOST_ON_A_PAGE = 200;
    private static final String ROOT = "/api/dead-letters";
    private static final String ONE = ROOT + "/{id}";
    private static final int ON_A_PAGE = 25;
    private static final String AFTER = "after";
    private static final String LIMIT = "limit";
    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterApi.class);

    private final DeadLetters deadLetters;
    private final DeadLetterJson json;

    DeadLetterApi(DeadLetters deadLetters, boolean showPayloads) {
        this.deadLetters = deadLetters;
        this.json = new DeadLetterJson(deadLetters, showPayloads);
    }

    void addTo(RoutesConfig routes) {
        routes.get(ROOT, this::list);
        routes.get(ROOT + "/count", this::count);
        routes.get(ONE, this::show);
        routes.post(ROOT + "/retry", this::retryAll);
        routes.post(ROOT + "/discard", this::discardAll);
        routes.post(ONE + "/retry", this::retry);
        routes.post(ONE + "/discard", this::discard);
    }

    /** One more than fits is asked for, to know whether there is another page. */
    private void list(Context context) {
        DeadLetterFilter filter = FilterReader.fromQuery(context, List.of(AFTER, LIMIT));
        long after = Requests.number(context, AFTER, 0, Long.MAX_VALUE, 0);
        int limit = (int) Requests.number(context, LIMIT, 1, MOST_ON_A_PAGE, ON_A_PAGE);
        List<DeadLetter> found = deadLetters.list(filter, after, limit + 1);
        boolean more = found.size() > limit;
        List<DeadLetter> page = more ? found.subList(0, limit) : found;
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ArrayNode letters = answer.putArray("deadLetters");
        page.forEach(letter -> letters.add(DeadLetterJson.of(letter)));
        answer.put("next", more ? Long.valueOf(page.get(limit - 1).seq()) : null);
        Requests.answer(context, answer);
    }

    private void count(Context context) {
        DeadLetterFilter filter = FilterReader.fromQuery(context, List.of());
        answer(context, "count", deadLetters.count(filter));
    }

    private void show(Context context) {
        UUID id = Requests.id(context);
        DeadLetter letter = deadLetters.find(id).orElseThrow(() -> gone(id));
        Requests.answer(context, json.withPayload(letter));
    }

    private void retry(Context context) {
        UUID id = Requests.id(context);
        if (!deadLetters.retry(id)) {
            throw gone(id);
        }
        log(context, "dead letter is retried", id);
        answer(context, "retried", 1);
    }

    private void discard(Context context) {
        UUID id = Requests.id(context);
        String reason = Requests.reason(Requests.body(context));
        if (!Requests.checked(() -> deadLetters.discard(id, reason))) {
            throw gone(id);
        }
        log(context, "dead letter is discarded", id);
        answer(context, "discarded", 1);
    }

    private void retryAll(Context context) {
        JsonNode body = Requests.body(context);
        int number = deadLetters.retryAll(FilterReader.fromBody(body.path("filter")));
        log(context, "dead letters are retried: " + number, body.path("filter"));
        answer(context, "retried", number);
    }

    private void discardAll(Context context) {
        JsonNode body = Requests.body(context);
        String reason = Requests.reason(body);
        DeadLetterFilter filter = FilterReader.fromBody(body.path("filter"));
        int number = Requests.checked(() -> deadLetters.discardAll(filter, reason));
        log(context, "dead letters are discarded: " + number, body.path("filter"));
        answer(context, "discarded", number);
    }

    private static void log(Context context, String what, Object which) {
        LOG.atInfo()
                .addKeyValue("which", which)
                .addKeyValue("client", context.ip())
                .log(what);
    }

    private static void answer(Context context, String name, int number) {
        Requests.answer(context, JsonNodeFactory.instance.objectNode().put(name, number));
    }

    private static Refusal gone(UUID id) {
        return new Refusal(
                HttpStatus.NOT_FOUND,
                id + " is no dead letter any more: it was retried or discarded in the meantime, or never was one");
    }
}
