package dev.typedoutbox.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BrokerProductTest {
    @ParameterizedTest
    @CsvSource({
        "RabbitMQ, 3.10.0, true",
        "RabbitMQ, 3.10.8, true",
        "RabbitMQ, 3.13.7, true",
        "RabbitMQ, 4.0.1, true",
        "RabbitMQ, 4.3.0-rc.1, true",
        "RabbitMQ, 3.9.29, false",
        "RabbitMQ, 2.8.7, false",
        // A build of one's own may have any version.
        "RabbitMQ, null, true",
        "Broker-J, 10.1.0, false",
        "null, null, false"
    })
    void safeDeadLetteringCameWithRabbitMq310(String name, String version, boolean has) {
        assertThat(new BrokerProduct(name, version).hasSafeDeadLettering()).isEqualTo(has);
    }
}
