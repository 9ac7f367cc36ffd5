package dev.typedoutbox.benchmark.peers.modulith;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Event;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.core.EventSerializer;

/**
 * Writes publications as the registry does, but many with each statement: they are copies of one that the registry has
 * written, with an event and a time of their own.
 */
final class BacklogWriter {
    private static final int PUBLICATIONS_PER_STATEMENT = 5_000;
    private static final String INSERT = """
            insert into event_publication (id, listener_id, event_type, serialized_event, publication_date, completion_date)
            select gen_random_uuid(), p.listener_id, p.event_type, event.json,
                clock_timestamp() + event.number * interval '1 microsecond', p.completion_date
            from publication_pattern p, unnest(?::text[]) with ordinality as event (json, number)
            """;

    private final JdbcTemplate jdbc;
    private final EventSerializer serializer;

    BacklogWriter(JdbcTemplate jdbc, EventSerializer serializer) {
        this.jdbc = jdbc;
        this.serializer = serializer;
    }

    /** Replaces the only publication in the table, which the registry has written. */
    void write(Backlog backlog) {
        jdbc.execute("drop table if exists publication_pattern");
        jdbc.execute("create table publication_pattern as table event_publication");
        jdbc.execute("truncate event_publication");
        List<String> events = new ArrayList<>();
        for (long number = 0; number < backlog.events(); number++) {
            events.add(serialize(backlog.event(number)));
            if (events.size() == PUBLICATIONS_PER_STATEMENT || number == backlog.events() - 1) {
                jdbc.update(INSERT, (Object) events.toArray(String[]::new));
                events.clear();
            }
        }
        jdbc.execute("vacuum analyze event_publication");
    }

    private String serialize(Event event) {
        return serializer
                .serialize(new OrderPlaced(event.number(), event.type(), event.payload()))
                .toString();
    }
}
