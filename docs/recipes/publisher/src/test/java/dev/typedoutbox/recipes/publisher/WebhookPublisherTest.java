package dev.typedoutbox.recipes.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.recipes.publisher.Receiver.Answer;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is particular to webhooks, beside what all publishers have in common. */
class WebhookPublisherTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final Receiver receiver = new Receiver();
    private final WebhookPublisher publisher = new WebhookPublisher(receiver.uri());

    @AfterEach
    void close() {
        publisher.close();
        receiver.close();
    }

    @ParameterizedTest
    @CsvSource({
        "200, CONFIRMED",
        "202, CONFIRMED",
        "204, CONFIRMED",
        "401, UNKNOWN",
        "407, UNKNOWN",
        "408, UNKNOWN",
        "429, UNKNOWN",
        "502, UNKNOWN",
        "503, UNKNOWN",
        "504, UNKNOWN",
        "302, REFUSED",
        "400, REFUSED",
        "403, REFUSED",
        "404, REFUSED",
        "409, REFUSED",
        "410, REFUSED",
        "500, REFUSED"
    })
    void statusSaysWhatBecameOfTheEvent(int status, Kind expected) {
        receiver.answer(status);
        PublishOutcome outcome = publish(event());
        assertThat(outcome.kind()).isEqualTo(expected);
        assertThat(outcome.reason()).isEqualTo(expected == Kind.CONFIRMED ? "" : "HTTP " + status);
    }

    @Test
    void reasonIsTheBeginningOfTheAnswerInOneLine() {
        receiver.answer(event -> new Answer(400, "no such\r\ncustomer\0" + "x".repeat(10_000_000)));
        assertThat(publish(event()).reason())
                .startsWith("HTTP 400 no such customer x")
                .hasSizeLessThan(BeginningOfBody.MOST_BYTES + 10);
    }

    @Test
    void longAnswerThatTakesTheEventTakesIt() {
        receiver.answer(event -> new Answer(200, "x".repeat(10_000_000)));
        assertThat(publish(event())).isEqualTo(PublishOutcome.confirmed());
        assertThat(publish(event())).isEqualTo(PublishOutcome.confirmed());
    }

    @Test
    void noMoreThanSoManyRequestsAreInFlight() {
        List<OutboxEvent> events =
                Stream.generate(WebhookPublisherTest::event).limit(100).toList();
        receiver.hold();
        try (PublisherSession session = publisher.open()) {
            CompletableFuture<List<PublishOutcome>> outcomes = call(() -> session.publish(events, LONG));
            await().until(() -> receiver.taken().size() == WebhookSession.MOST_IN_FLIGHT);
            receiver.release();
            assertThat(outcomes.join()).hasSize(100).containsOnly(PublishOutcome.confirmed());
        }
        assertThat(receiver.mostAtOnce()).isEqualTo(WebhookSession.MOST_IN_FLIGHT);
        assertThat(receiver.taken()).containsExactlyInAnyOrderElementsOf(events);
    }

    @Test
    void nothingIsBegunAfterTheTimeThoughThereIsRoom() {
        try (PublisherSession session = publisher.open()) {
            assertThat(session.publish(List.of(odd()), LONG).get(0).kind()).isEqualTo(Kind.REFUSED);
            assertThat(session.publish(Collections.nCopies(500_000, odd()), Duration.ofMillis(100)))
                    .extracting(PublishOutcome::kind)
                    .contains(Kind.REFUSED, Kind.UNKNOWN);
        }
    }

    @Test
    void callThatNobodyAnswersEndsTheSession() {
        try (PublisherSession session = publisher.open()) {
            receiver.hold();
            assertThat(session.publish(List.of(event()), Duration.ofMillis(100)))
                    .containsExactly(PublishOutcome.unknown("the receiver did not answer in time"));
            assertThatThrownBy(() -> session.awaitReady(LONG))
                    .isInstanceOf(PublisherUnavailableException.class)
                    .hasMessageEndingWith("the receiver did not answer in time");
        }
    }

    @Test
    void sessionGoesOnWhereOthersWereAnsweredInTime() throws InterruptedException {
        try (PublisherSession session = publisher.open()) {
            receiver.hold();
            assertThat(session.publish(List.of(odd(), event()), Duration.ofMillis(500)))
                    .extracting(PublishOutcome::kind)
                    .containsExactly(Kind.REFUSED, Kind.UNKNOWN);
            receiver.release();
            assertThat(session.awaitReady(LONG)).isTrue();
            assertThat(session.publish(List.of(event()), LONG)).containsExactly(PublishOutcome.confirmed());
        }
    }

    @Test
    void lateRequestIsCancelled() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                WebhookPublisher toSilence = new WebhookPublisher(Receiver.uri(silent.getLocalPort()));
                PublisherSession session = toSilence.open();
                Socket opening = silent.accept()) {
            assertThat(opening.getInputStream().read()).isNegative();
            silent.setSoTimeout(30_000);
            CompletableFuture<List<PublishOutcome>> outcomes =
                    call(() -> session.publish(List.of(event()), Duration.ofSeconds(5)));
            try (Socket request = silent.accept()) {
                request.setSoTimeout(30_000);
                // All of it is read when the connection has ended.
                assertThat(new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                        .startsWith("POST /hooks");
            }
            assertThat(outcomes.join()).containsExactly(PublishOutcome.unknown("the receiver did not answer in time"));
        }
    }

    @Test
    void whenOneHasLostItsConnectionOthersInFlightMayStillBeAnsweredAndNoneIsSent() {
        OutboxEvent bad = event();
        List<OutboxEvent> inFlight = Stream.generate(WebhookPublisherTest::event)
                .limit(WebhookSession.MOST_IN_FLIGHT - 1)
                .toList();
        List<OutboxEvent> all = new ArrayList<>(inFlight);
        all.addAll(List.of(bad, event()));
        receiver.answer(event -> event.equals(bad) ? Receiver.HANG_UP : Answer.of(204));
        receiver.hold();
        try (WebhookPublisher patient = new WebhookPublisher(receiver.uri(), LONG);
                PublisherSession session = patient.open()) {
            CompletableFuture<List<PublishOutcome>> outcomes = call(() -> session.publish(all, LONG));
            await().pollInterval(Duration.ofMillis(10))
                    .untilAsserted(() -> assertThatThrownBy(() -> session.awaitReady(LONG))
                            .isInstanceOf(PublisherUnavailableException.class));
            receiver.release();
            assertThat(outcomes.join())
                    .extracting(PublishOutcome::kind)
                    .containsExactlyElementsOf(Stream.concat(
                                    inFlight.stream().map(event -> Kind.CONFIRMED),
                                    Stream.of(Kind.UNKNOWN, Kind.UNKNOWN))
                            .toList());
            assertThat(receiver.taken()).containsExactlyInAnyOrderElementsOf(inFlight);
        }
    }

    @Test
    void eventOfWhichNoRequestCanBeMadeIsRefusedAlone() {
        try (PublisherSession session = publisher.open()) {
            assertThat(session.publish(List.of(event(), odd(), event()), LONG))
                    .extracting(PublishOutcome::kind)
                    .containsExactly(Kind.CONFIRMED, Kind.REFUSED, Kind.CONFIRMED);
        }
    }

    @Test
    void bodyIsTheWholeEventWithItsPayloadAsItIs() throws IOException {
        String payload = "{\"id\":  \"42\", \"total\": 19.90}";
        OutboxEvent event = OutboxEvent.builder(UUID.fromString("0190b1f4-7a3e-4cc0-b7d6-5d6f7e8a9b0c"))
                .aggregate("order", "42", 7)
                .eventType("order.placed")
                .headers(Map.of("tenant", "acme", "priority", 3L, "gift", true))
                .createdAt(Instant.parse("2026-03-01T12:00:00.123456Z"))
                .payload(payload.getBytes(StandardCharsets.UTF_8))
                .build();
        byte[] body = WebhookRequest.body(event);
        ObjectMapper json = new ObjectMapper();
        assertThat(json.readTree(body))
                .isEqualTo(json.readTree(Files.readString(Path.of("src/test/resources/body.json"))));
        assertThat(new String(body, StandardCharsets.UTF_8)).contains(payload);
    }

    @Test
    void receiverThatIsNotThereOpensNothingAndIsNamedWithoutItsPath() {
        receiver.close();
        assertThatThrownBy(publisher::open)
                .isInstanceOf(PublisherUnavailableException.class)
                .hasMessageStartingWith("127.0.0.1:" + receiver.port() + " cannot be reached: ")
                .hasMessageNotContaining("hooks");
    }

    @Test
    void addressThatIsNotOfHttpIsRefused() {
        assertThatThrownBy(() -> new WebhookPublisher(URI.create("amqp://localhost")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** On a thread of its own: the client hands its answers over in the common pool, which may have one thread. */
    private static CompletableFuture<List<PublishOutcome>> call(Supplier<List<PublishOutcome>> publish) {
        return CompletableFuture.supplyAsync(publish, work -> new Thread(work, "publishing").start());
    }

    private PublishOutcome publish(OutboxEvent event) {
        try (PublisherSession session = publisher.open()) {
            return session.publish(List.of(event), LONG).get(0);
        }
    }

    private static OutboxEvent event() {
        return OutboxEvent.builder(UUID.randomUUID())
                .eventType("order.placed")
                .payload("{}".getBytes(StandardCharsets.UTF_8))
                .build();
    }

    /** Of which no request can be made. */
    private static OutboxEvent odd() {
        return OutboxEvent.builder(UUID.randomUUID())
                .headers(Map.of("text-long-or-boolean", new Object()))
                .build();
    }
}
