package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.Channel;
import dev.typedoutbox.benchmark.contender.Event;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The loop of the relay that articles show. */
final class RowByRow {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final long CONFIRM_MILLIS = 10_000;
    private static final String SELECT = "select id, aggregate_type, aggregate_id, event_type, payload, seq, created_at"
            + " from outbox where processed_at is null order by seq limit 100";
    private static final String UPDATE = "update outbox set processed_at = now() where id = ?";

    private record Row(UUID id, Event event, Instant createdAt) {}

    private final DataSource dataSource;
    private final Channel channel;
    private final String exchange;
    private final Thread thread = new Thread(this::run, "row-by-row");
    private volatile boolean stopped;

    RowByRow(DataSource dataSource, Channel channel, String exchange) {
        this.dataSource = dataSource;
        this.channel = channel;
        this.exchange = exchange;
    }

    void start() {
        thread.start();
    }

    void stop() throws Exception {
        stopped = true;
        thread.join();
        channel.close();
    }

    private void run() {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement select = connection.prepareStatement(SELECT);
                PreparedStatement update = connection.prepareStatement(UPDATE)) {
            while (!stopped) {
                List<Row> rows = rows(select);
                for (int i = 0; i < rows.size() && !stopped; i++) {
                    publish(rows.get(i));
                    update.setObject(1, rows.get(i).id());
                    update.executeUpdate();
                }
                if (rows.isEmpty()) {
                    TimeUnit.MILLISECONDS.sleep(POLL_INTERVAL.toMillis());
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException("the row-by-row relay failed", e);
        }
    }

    private static List<Row> rows(PreparedStatement select) throws SQLException {
        List<Row> rows = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                Event event = new Event(
                        row.getLong(6), row.getString(2), row.getString(3), row.getString(4), row.getString(5));
                rows.add(new Row(
                        row.getObject(1, UUID.class),
                        event,
                        row.getObject(7, OffsetDateTime.class).toInstant()));
            }
        }
        return rows;
    }

    private void publish(Row row) throws Exception {
        channel.basicPublish(
                exchange,
                row.event().type(),
                true,
                Messages.properties(row.id().toString(), row.event(), row.createdAt()),
                row.event().payload().getBytes(StandardCharsets.UTF_8));
        if (!channel.waitForConfirms(CONFIRM_MILLIS)) {
            throw new IllegalStateException("the broker refused " + row.id());
        }
    }
}
