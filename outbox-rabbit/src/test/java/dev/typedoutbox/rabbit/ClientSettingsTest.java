package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.ConnectionFactory;
import org.junit.jupiter.api.Test;

class ClientSettingsTest {
    @Test
    void waitsThatHaveNoBoundInTheSettingsGetOne() {
        ConnectionFactory settings = new ConnectionFactory();
        settings.setConnectionTimeout(0);
        settings.setHandshakeTimeout(0);
        settings.setChannelRpcTimeout(0);
        settings.setRequestedHeartbeat(0);
        ConnectionFactory bounded = ClientSettings.bounded(settings);
        assertThat(bounded.getConnectionTimeout()).isEqualTo(10_000);
        assertThat(bounded.getHandshakeTimeout()).isEqualTo(10_000);
        assertThat(bounded.getChannelRpcTimeout()).isEqualTo(10_000);
        assertThat(bounded.getRequestedHeartbeat()).isEqualTo(10);
        assertThat(bounded.isAutomaticRecoveryEnabled()).isFalse();
    }
}
