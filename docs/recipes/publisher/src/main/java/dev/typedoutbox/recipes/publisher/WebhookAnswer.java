package dev.typedoutbox.recipes.publisher;

import dev.typedoutbox.relay.PublishOutcome;
import java.net.http.HttpResponse;

/** What the receiver's answer says of the event. */
final class WebhookAnswer {
    private WebhookAnswer() {}

    static PublishOutcome outcome(HttpResponse<String> answer) {
        int status = answer.statusCode();
        if (status >= 200 && status < 300) {
            return PublishOutcome.confirmed();
        }
        String reason = ("HTTP " + status + " " + inOneLine(answer.body())).strip();
        return switch (status) {
            // It takes no event for now: it is away or busy, or our credentials are not good any more.
            case 401, 407, 408, 429, 502, 503, 504 -> PublishOutcome.unknown(reason);
            default -> PublishOutcome.refused(reason);
        };
    }

    /** Somebody else's text, without lines of its own in the log. */
    private static String inOneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", " ");
    }
}
