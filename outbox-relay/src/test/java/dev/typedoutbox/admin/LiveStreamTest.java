package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.servers.TcpProxy;
import dev.typedoutbox.testkit.InMemoryPublisher;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LiveStreamTest {
    private final AdminDatabase database = AdminDatabase.create();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicBoolean failsNext = new AtomicBoolean();
    private final AdminServer server =
            AdminServer.builder(counting(database.dataSource())).build();
    private final AdminClient client = start(server);

    private static AdminClient start(AdminServer server) {
        server.start();
        return new AdminClient(server.uri());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private DataSource counting(DataSource target) {
        return (DataSource) Proxy.newProxyInstance(
                LiveStreamTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> {
                    connections.addAndGet(method.getName().equals("getConnection") ? 1 : 0);
                    if (failsNext.getAndSet(false)) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    try {
                        return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }

    @Test
    void openPageSeesCountsMove() {
        try (EventReader stream = client.stream()) {
            JsonNode hello = stream.next("hello");
            assertThat(hello.path("schema").asText()).isEqualTo("public");
            assertThat(hello.path("readOnly").asBoolean()).isFalse();
            assertThat(stream.next("status").at("/pending/value").asInt()).isZero();

            database.publish("1", "order.created");
            database.publish("1", "order.paid");
            database.dead("2", "order.sent", "refused");
            JsonNode status = awaitStatus(stream, "/pending/value", 2);
            assertThat(status.path("oldestPendingSeconds").isNumber()).isTrue();
            assertThat(awaitStatus(stream, "/deadLetters/value", 1)
                            .at("/deadLetters/exact")
                            .asBoolean())
                    .isTrue();
            assertThat(awaitTypes(stream)).containsExactlyInAnyOrder("order.created", "order.paid");
        }
    }

    private static List<String> awaitTypes(EventReader stream) {
        List<String> types = List.of();
        while (types.isEmpty()) {
            types = stream.next("status").path("pendingByType").findValuesAsText("eventType");
        }
        return types;
    }

    private static JsonNode awaitStatus(EventReader stream, String pointer, int value) {
        JsonNode status = stream.next("status");
        while (status.at(pointer).asInt() != value) {
            status = stream.next("status");
        }
        return status;
    }

    @Test
    void relayOfThisProcessTellsWhatItPublishes() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        RelayConfig config = RelayConfig.builder()
                .name("first")
                .listenOn(database.dataSource())
                .observer(server.observer())
                .build();
        try (EventReader stream = client.stream();
                Relay relay = Relay.create(database.dataSource(), publisher, config)) {
            assertThat(stream.next("status").path("localRelays").size()).isZero();
            relay.start();
            database.publish("1", "order.created");

            JsonNode second = awaitPublished(stream);
            assertThat(second.get(4).asDouble()).isPositive();
            JsonNode status = stream.next("status");
            assertThat(status.at("/localRelays/0/name").asText()).isEqualTo("first");
            assertThat(status.at("/localRelays/0/state").asText()).isEqualTo("RUNNING");
            assertThat(status.at("/relays/0/name").asText()).isEqualTo("first");
            try (EventReader later = client.stream()) {
                JsonNode hello = later.next("hello");
                assertThat(hello.path("seconds")).contains(second);
                assertThat(hello.path("history")).isNotEmpty();
            }
            relay.close();
            assertThat(awaitStatus(stream, "/relays/0/pid", 0)
                            .path("localRelays")
                            .size())
                    .isZero();
        }
    }

    private static JsonNode awaitPublished(EventReader stream) {
        JsonNode seconds = stream.next("status").path("seconds");
        while (seconds.isEmpty()) {
            seconds = stream.next("status").path("seconds");
        }
        return seconds.get(0);
    }

    @Test
    void manyPagesShareTheReadings() {
        List<EventReader> streams = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            streams.add(client.stream());
        }
        EventReader first = streams.get(0);
        first.next("status");
        int before = connections.get();
        for (int i = 0; i < 3; i++) {
            first.next("status");
        }
        assertThat(connections.get() - before).isBetween(2, 4);
        streams.forEach(EventReader::close);
    }

    @Test
    void nothingIsAskedWhileNobodyWatches() {
        assertThat(connections).hasValue(0);
        try (EventReader stream = client.stream()) {
            stream.next("status");
        }
        awaitNoMoreQuestions(Duration.ofSeconds(30));
        assertThat(connections).hasPositiveValue();
    }

    private void awaitNoMoreQuestions(Duration atMost) {
        AtomicInteger last = new AtomicInteger();
        await().pollInterval(Duration.ofSeconds(3))
                .atMost(atMost)
                .until(() -> connections.get() == last.getAndSet(connections.get()));
    }

    @Test
    void pageThatTakesNothingIsDropped() throws IOException {
        makeStatusLong();
        try (Socket silent = new Socket()) {
            silent.setReceiveBufferSize(4096);
            silent.connect(new InetSocketAddress(server.uri().getHost(), server.port()));
            silent.getOutputStream()
                    .write("GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> connections.get() > 2);

            awaitNoMoreQuestions(Duration.ofSeconds(90));
        }
    }

    /** So that the buffers between it and a page are full after a few of them. */
    private void makeStatusLong() {
        RelayConfig config = RelayConfig.builder().name("x".repeat(100)).build();
        for (int i = 0; i < 5_000; i++) {
            server.observer().started(Relay.create(database.dataSource(), new InMemoryPublisher(), config));
        }
    }

    @Test
    void pagesAreBoundedAndMakeRoom() {
        List<EventReader> streams = new ArrayList<>();
        for (int i = 0; i < LiveStream.MOST_CLIENTS; i++) {
            streams.add(client.stream());
        }
        assertThat(streams).allMatch(stream -> stream.status() == 200);
        assertThat(client.get(LiveStream.PATH).statusCode()).isEqualTo(503);
        assertThat(client.get(LiveStream.PATH).body())
                .isEqualTo("{\"error\":\"open pages must be at most 20 (was 20): close one\"}");

        streams.get(0).close();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            try (EventReader again = client.stream()) {
                return again.status() == 200;
            }
        });
        streams.forEach(EventReader::close);
    }

    @Test
    void closedServerEndsOpenPagesAtOnce() {
        try (EventReader stream = client.stream()) {
            stream.next("status");
            long start = System.nanoTime();
            server.close();
            stream.awaitEnd();
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        }
    }

    @Test
    void errorInAReadingDoesNotEndThem() {
        try (EventReader stream = client.stream()) {
            assertThat(stream.next("status").path("answers").asBoolean()).isTrue();
            failsNext.set(true);
            awaitAnswers(stream, false);
            assertThat(awaitAnswers(stream, true).has("pending")).isTrue();
        }
    }

    @Test
    void silentDatabaseIsToldAndSoIsItsReturn() {
        try (TcpProxy proxy = database.proxy();
                AdminServer behind =
                        AdminServer.builder(database.dataSourceThrough(proxy)).build();
                EventReader stream = start(behind).stream()) {
            assertThat(stream.next("status").path("answers").asBoolean()).isTrue();
            proxy.swallow(TcpProxy.Direction.TO_SERVER);
            assertThat(awaitAnswers(stream, false).has("pending")).isFalse();
            proxy.heal();
            assertThat(awaitAnswers(stream, true).has("pending")).isTrue();
        }
    }

    private static JsonNode awaitAnswers(EventReader stream, boolean answers) {
        JsonNode status = stream.next("status");
        while (status.path("answers").asBoolean() != answers) {
            status = stream.next("status");
        }
        return status;
    }

    @Test
    void scriptGetsOneStatusForAllThatAskAtOnce() {
        assertThat(client.json("/api/status").path("answers").asBoolean()).isTrue();
        int before = connections.get();
        for (int i = 0; i < 3; i++) {
            client.get("/api/status");
        }
        assertThat(connections.get() - before).isLessThanOrEqualTo(1);
    }
}
