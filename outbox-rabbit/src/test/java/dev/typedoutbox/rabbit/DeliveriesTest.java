package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeliveriesTest {
    private final List<String> frames = new ArrayList<>();
    private final Deliveries deliveries = new Deliveries(channel());

    @Test
    void allThatAreDoneAreAcknowledgedWithOneFrame() throws IOException {
        came(1, 2, 3);
        done(2, 3, 1);

        deliveries.acknowledge();

        assertThat(frames).containsExactly("basicAck[3, true]");
    }

    @Test
    void nothingIsAcknowledgedThatIsUnderWay() throws IOException {
        came(1, 2, 3, 4, 5);
        done(1, 2, 4);
        deliveries.acknowledge();
        assertThat(frames).containsExactly("basicAck[2, true]", "basicAck[4, false]");
        assertThat(deliveries.underWay()).isEqualTo(2);

        done(3, 5);
        deliveries.acknowledge();
        assertThat(frames).hasSize(3).endsWith("basicAck[5, true]");
    }

    @Test
    void oneBehindTheFirstUnderWayIsAcknowledgedAlone() throws IOException {
        came(1, 2);
        done(2);

        deliveries.acknowledge();

        assertThat(frames).containsExactly("basicAck[2, false]");
    }

    @Test
    void eachIsAcknowledgedOnce() throws IOException {
        came(1);
        done(1);
        deliveries.acknowledge();
        deliveries.acknowledge();

        assertThat(frames).hasSize(1);
    }

    @Test
    void rejectedOneIsSettledAtOnceAndNotPutBack() throws IOException {
        came(1, 2);
        deliveries.reject(1);
        assertThat(deliveries.underWay()).isEqualTo(1);

        done(2);
        deliveries.acknowledge();
        assertThat(frames).containsExactly("basicReject[1, false]", "basicAck[2, true]");
    }

    private void came(long... tags) {
        Arrays.stream(tags).forEach(deliveries::came);
    }

    private void done(long... tags) {
        Arrays.stream(tags).forEach(deliveries::done);
    }

    /** Writes down what is sent. */
    private Channel channel() {
        return (Channel) Proxy.newProxyInstance(
                Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, args) -> {
                    frames.add(method.getName() + Arrays.toString(args));
                    return null;
                });
    }
}
