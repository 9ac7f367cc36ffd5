package dev.typedoutbox;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The headers that an outbox adds to those of its events. */
final class AddedHeaders {
    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

    private final List<EventHeaders> required;
    private final List<EventHeaders> optional;

    AddedHeaders(List<EventHeaders> sources) {
        this.required = sources.stream().filter(source -> !source.areOptional()).toList();
        this.optional = sources.stream().filter(EventHeaders::areOptional).toList();
    }

    /** The JSON of all headers of the event. */
    @Nullable
    String toJson(UUID id, NewEvent event, Map<String, Object> own) {
        Map<String, Object> needed = with(required, id, event, own);
        Map<String, Object> all = with(optional, id, event, needed);
        try {
            return HeaderRules.toJson(all);
        } catch (InvalidEventException e) {
            // Refuses again where it is not the fault of those that may be left out.
            String json = HeaderRules.toJson(needed);
            LOG.atDebug()
                    .setCause(e)
                    .addKeyValue("event_id", id)
                    .addKeyValue("event_type", event.eventType())
                    .addKeyValue("aggregate_id", event.aggregateId())
                    .log("optional headers were left out");
            return json;
        }
    }

    private static Map<String, Object> with(
            List<EventHeaders> sources, UUID id, NewEvent event, Map<String, Object> headers) {
        if (sources.isEmpty()) {
            return headers;
        }
        Map<String, Object> all = new LinkedHashMap<>(headers);
        for (EventHeaders source : sources) {
            added(source, id, event).forEach(all::putIfAbsent);
        }
        return all;
    }

    private static Map<String, Object> added(EventHeaders source, UUID id, NewEvent event) {
        Map<String, Object> added = source.of(id, event);
        if (added == null) {
            throw new InvalidEventException("added headers must be a map, which may be empty (was null, of "
                    + source.getClass().getName() + ")");
        }
        return added;
    }
}
