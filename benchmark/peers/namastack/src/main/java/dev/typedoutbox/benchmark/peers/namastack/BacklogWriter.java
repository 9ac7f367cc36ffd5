package dev.typedoutbox.benchmark.peers.namastack;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Event;
import io.namastack.outbox.OutboxPayloadSerializer;
import io.namastack.outbox.partition.PartitionHasher;
import java.util.ArrayList;
import java.util.List;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Writes records as the library does, but many with each statement: they are copies of one that the library has written, with
 * a key, a partition, a payload and a time of their own.
 */
final class BacklogWriter {
    private static final int RECORDS_PER_STATEMENT = 5_000;
    private static final String INSERT = """
            insert into outbox_record (id, status, record_key, record_type, payload, context, partition_no, created_at,
                completed_at, failure_count, failure_reason, next_retry_at, handler_id)
            select gen_random_uuid()::text, p.status, copy.record_key, p.record_type, copy.payload, p.context,
                copy.partition_no, copy.created_at, p.completed_at, p.failure_count, p.failure_reason, copy.created_at,
                p.handler_id
            from outbox_pattern p, (
                select record_key, payload, partition_no, clock_timestamp() + number * interval '1 microsecond' created_at
                from unnest(?::text[], ?::text[], ?::int[]) with ordinality
                    as event (record_key, payload, partition_no, number)) copy
            """;

    private final JdbcTemplate jdbc;
    private final OutboxPayloadSerializer serializer;

    BacklogWriter(JdbcTemplate jdbc, OutboxPayloadSerializer serializer) {
        this.jdbc = jdbc;
        this.serializer = serializer;
    }

    /** Replaces the only record in the table, which the library has written. */
    void write(Backlog backlog) {
        jdbc.execute("drop table if exists outbox_pattern");
        jdbc.execute("create table outbox_pattern as table outbox_record");
        jdbc.execute("truncate outbox_record");
        List<Event> events = new ArrayList<>();
        for (long number = 0; number < backlog.events(); number++) {
            events.add(backlog.event(number));
            if (events.size() == RECORDS_PER_STATEMENT || number == backlog.events() - 1) {
                insert(events);
                events.clear();
            }
        }
        jdbc.execute("vacuum analyze outbox_record");
    }

    private void insert(List<Event> events) {
        jdbc.update(
                INSERT,
                events.stream().map(Event::aggregateId).toArray(String[]::new),
                events.stream().map(this::serialize).toArray(String[]::new),
                events.stream().map(BacklogWriter::partition).toArray(Integer[]::new));
    }

    private String serialize(Event event) {
        return serializer.serialize(new OrderPlaced(event.type(), event.payload()));
    }

    private static Integer partition(Event event) {
        return PartitionHasher.INSTANCE.getPartitionForRecordKey(event.aggregateId());
    }
}
