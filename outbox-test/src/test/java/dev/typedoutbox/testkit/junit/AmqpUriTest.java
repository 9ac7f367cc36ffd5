package dev.typedoutbox.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.ConnectionFactory;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AmqpUriTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://localhost",
                "amqp:///orders",
                "amqps://broker.example",
                "AMQPS://broker.example/",
                "amqp://[::1]:5673/%2F",
                "amqp://guest@broker/orders",
                "amqp://guest:@broker/orders",
                "amqp://a:b@broker:5673/orders",
                "amqp://user%3Aname:pass%3Aword@broker",
                "amqp://user%40home:a+b%2Fc%25@broker/or%20ders+1",
            })
    void partsAreThoseThatTheClientTakes(String text) throws Exception {
        ConnectionFactory client = new ConnectionFactory();
        client.setUri(text);
        AmqpUri uri = new AmqpUri(URI.create(text));

        assertThat(uri.host()).isEqualTo(client.getHost());
        assertThat(uri.port()).isEqualTo(client.getPort());
        assertThat(uri.user()).isEqualTo(client.getUsername());
        assertThat(uri.password()).isEqualTo(client.getPassword());
        assertThat(uri.virtualHost()).isEqualTo(client.getVirtualHost());
    }

    @Test
    void lettersBeyondAsciiAreUtf8() {
        AmqpUri uri = new AmqpUri(URI.create("amqp://zo%C3%AB:gr%C3%B6%C3%9Fe@broker/bl%C3%A5"));

        assertThat(uri.user()).isEqualTo("zoë");
        assertThat(uri.password()).isEqualTo("größe");
        assertThat(uri.virtualHost()).isEqualTo("blå");
    }

    @Test
    void hostThatJavaDoesNotKnowIsRefusedWithoutTheLogin() {
        AmqpUri uri = new AmqpUri(URI.create("amqp://guest:secret@rabbit_mq:5672/"));

        assertThatThrownBy(uri::host)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "URI of the broker must have a host of letters, digits, hyphens and dots (was rabbit_mq:5672)");
    }
}
