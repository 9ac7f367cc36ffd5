package dev.typedoutbox.recipes.publisher;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.typedoutbox.OutboxEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;

/** An event as a request. */
final class WebhookRequest {
    private static final JsonMapper JSON = new JsonMapper();

    private WebhookRequest() {}

    /**
     * Refuses what no request can be sent to.
     *
     * @throws IllegalArgumentException if it is no address of HTTP
     */
    static URI requireHttp(URI receiver) {
        return HttpRequest.newBuilder(receiver).build().uri();
    }

    static HttpRequest of(OutboxEvent event, URI receiver) {
        return HttpRequest.newBuilder(receiver)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "\"" + event.id() + "\"")
                .POST(BodyPublishers.ofByteArray(body(event)))
                .build();
    }

    /** The event as JSON. */
    static byte[] body(OutboxEvent event) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("id", event.id().toString());
            json.writeStringField("type", event.eventType());
            json.writeStringField("aggregate_type", event.aggregateType());
            json.writeStringField("aggregate_id", event.aggregateId());
            json.writeNumberField("seq", event.seq());
            json.writeStringField("created_at", event.createdAt().toString());
            json.writePOJOField("headers", event.headers());
            json.writeFieldName("payload");
            json.writeRawValue(event.payloadAsText()); // JSON already
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
