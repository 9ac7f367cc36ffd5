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
 * Publishes each batch of the engine with all its messages in flight together, and waits for their confirms while those of the
 * next batch are on their way. A record is marked as processed, so that the engine may commit its offset, once the broker
 * has confirmed it.
 */
final class BatchPublisher implements ChangeConsumer<RecordChangeEvent<SourceRecord>>, AutoCloseable {
    private static final int PERSISTENT = 2;
    /** A smaller batch shows that no backlog waits, so that the next one may be far away. */
    private static final int A_FEW = 100;

    private final Connection connection;
    private final Channel channel;
    private final String exchange;
    private final Confirms confirms = new Confirms();

    private Batch previous = Batch.NONE;

    private BatchPublisher(Connection connection, String exchange) throws IOException {
        this.connection = connection;
        this.channel = connection.createChannel();
        this.exchange = exchange;
        channel.confirmSelect();
        channel.addConfirmListener(confirms);
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
            finish(previous, committer);
            previous = new Batch(records, channel.getNextPublishSeqNo() - 1);
            if (records.size() < A_FEW) {
                finish(previous, committer);
                previous = Batch.NONE;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private void finish(Batch batch, RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws IOException, TimeoutException, InterruptedException {
        confirms.await(batch.lastNumber());
        for (RecordChangeEvent<SourceRecord> event : batch.records()) {
            committer.markProcessed(event);
        }
        committer.markBatchFinished();
    }

    /** What has been sent, and the number of the last message on the channel. */
    private record Batch(List<RecordChangeEvent<SourceRecord>> records, long lastNumber) {
        static final Batch NONE = new Batch(List.of(), 0);
    }

    private void publish(SourceRecord event) throws IOException {
        String type = event.topic();
        AMQP.BasicProperties properties = new AMQP.BasicProperties.Builder()
                .contentType("application/json")
                .deliveryMode(PERSISTENT)
                .type(type)
                .build();
        confirms.expect(channel.getNextPublishSeqNo());
        channel.basicPublish(exchange, type, properties, ((String) event.value()).getBytes(UTF_8));
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
