package dev.typedoutbox.benchmark.own;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Contender;
import dev.typedoutbox.benchmark.contender.ContenderMain;
import dev.typedoutbox.benchmark.contender.Event;
import dev.typedoutbox.benchmark.contender.Settings;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The broker's ceiling: the same messages without any database, on one channel of one connection, with no more than 1,000
 * unconfirmed, unless the option {@code window} says otherwise.
 */
public final class CeilingMain implements Contender {
    private static final int WINDOW = 1_000;

    private final Connection connection;
    private final String exchange;
    private final int window;

    private Backlog backlog = new Backlog(0, 0, 1);
    private @Nullable Thread publisher;

    private CeilingMain(Settings settings) throws Exception {
        ConnectionFactory rabbit = new ConnectionFactory();
        rabbit.setUri(settings.amqpUri());
        connection = rabbit.newConnection("ceiling");
        exchange = settings.exchange();
        window = settings.number("window", WINDOW);
    }

    /**
     * Takes part in the benchmark.
     *
     * @param args none
     */
    public static void main(String[] args) {
        ContenderMain.run(CeilingMain::new);
    }

    @Override
    public void prepare() {}

    @Override
    public void fill(Backlog backlog) {
        this.backlog = backlog;
    }

    @Override
    public void start() {
        Thread thread = new Thread(this::publish, "ceiling");
        thread.start();
        publisher = thread;
    }

    @Override
    public void stop() throws InterruptedException {
        Thread thread = publisher;
        if (thread != null) {
            thread.interrupt();
            thread.join();
        }
        publisher = null;
    }

    @Override
    public void write(List<Event> events) {
        throw new UnsupportedOperationException("the broker has no outbox");
    }

    @Override
    public void close() throws Exception {
        stop();
        connection.close();
    }

    private void publish() {
        try (Channel channel = connection.createChannel()) {
            ConfirmWindow confirms = new ConfirmWindow(window);
            channel.confirmSelect();
            channel.addConfirmListener(confirms);
            TimeOrderedId ids = new TimeOrderedId();
            Instant now = Instant.now();
            for (Iterator<Event> events = backlog.stream().iterator(); events.hasNext(); ) {
                Event event = events.next();
                confirms.enter();
                channel.basicPublish(
                        exchange,
                        event.type(),
                        true,
                        Messages.properties(ids.next().toString(), event, now),
                        event.payload().getBytes(StandardCharsets.UTF_8));
            }
            channel.waitForConfirms();
            if (confirms.refused() > 0) {
                throw new IllegalStateException("the broker refused messages (was " + confirms.refused() + ")");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Exception e) {
            throw new IllegalStateException("the broker alone could not be measured", e);
        }
    }
}
