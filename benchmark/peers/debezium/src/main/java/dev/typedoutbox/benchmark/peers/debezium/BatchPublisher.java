package dev.typedoutbox.benchmark.peers.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Publishes each batch of the engine with all its messages in flight together, and marks its records as processed, so that the
 * engine may commit their offsets, once the broker has confirmed them all.
 */
final class BatchPublisher implements ChangeConsumer<RecordChangeEvent<SourceRecord>>, AutoCloseable {
    private static final int CONFIRM_TIMEOUT_MILLIS = 30_000;
    private static final int PERSISTENT = 2;

    private final Connection connection;
    private final Channel channel;
    private final String exchange;

    private BatchPublisher(Connection connection, String exchange) throws IOException {
        this.connection = connection;
        this.channel = connection.createChannel();
        this.exchange = exchange;
        channel.confirmSelect();
    }

    static BatchPublisher connect(String amqpUri, String exchange) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(amqpUri);
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalArgumentException("amqpUri must be a URI of AMQP", e);
        }
        return new BatchPublisher(factory.newConnection("peer"), exchange);
    }

    @Override
    public void handleBatch(
            List<RecordChangeEvent<SourceRecord>> records, RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        try {
            for (RecordChangeEvent<SourceRecord> event : records) {
                publish(event.record());
            }
            channel.waitForConfirmsOrDie(CONFIRM_TIMEOUT_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
        for (RecordChangeEvent<SourceRecord> event : records) {
            committer.markProcessed(event);
        }
        committer.markBatchFinished();
    }

    private void publish(SourceRecord event) throws IOException {
        String type = event.topic();
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .type(type)
                .build();
        channel.basicPublish(exchange, type, properties, ((String) event.value()).getBytes(UTF_8));
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
