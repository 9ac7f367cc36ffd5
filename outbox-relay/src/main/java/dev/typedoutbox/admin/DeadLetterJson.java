package dev.typedoutbox.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetters;

/** A dead letter as the page and scripts get it; payload and headers only where the settings say so. */
final class DeadLetterJson {
    /** What is larger is not even read: the page must not cost a relay in the same process its memory. */
    static final int LARGEST_READ = 1_000_000;

    private final DeadLetters deadLetters;
    private final boolean showPayloads;

    DeadLetterJson(DeadLetters deadLetters, boolean showPayloads) {
        this.deadLetters = deadLetters;
        this.showPayloads = showPayloads;
    }

    static ObjectNode of(DeadLetter letter) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("id", letter.id().toString())
                .put("seq", letter.seq())
                .put("aggregateType", letter.aggregateType())
                .put("aggregateId", letter.aggregateId())
                .put("eventType", letter.eventType())
                .put("attempts", letter.attempts())
                .put("createdAt", letter.createdAt().toString())
                .put("deadAt", letter.deadAt().toString())
                .put("lastError", letter.lastError())
                .put("bytes", letter.bytes());
    }

    ObjectNode withPayload(DeadLetter letter) {
        ObjectNode node = of(letter);
        if (showPayloads && letter.bytes() <= LARGEST_READ) {
            deadLetters.event(letter.id()).ifPresent(event -> addPayload(node, event));
        }
        return node;
    }

    /** As text, since numbers of any size and the order of the properties are to be seen as they are. */
    private static void addPayload(ObjectNode node, OutboxEvent event) {
        node.put("payload", event.payloadAsText());
        ObjectNode headers = node.putObject("headers");
        event.headers().forEach((name, value) -> headers.put(name, value.toString()));
    }
}
