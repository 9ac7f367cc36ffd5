package dev.typedoutbox.testkit.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublishOutcome.Kind;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.PublisherUnavailableException;
import dev.typedoutbox.testkit.publisher.PublisherFixture.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link EventPublisher}, as tests that every publisher passes: extend it with a fixture. Each test has a
 * fixture and a publisher of its own.
 *
 * <p>Needs JUnit 5 ({@code org.junit.jupiter:junit-jupiter}) and Awaitility ({@code org.awaitility:awaitility}) on the class
 * path of the tests.
 *
 * <p>It calls for at most 1,000 events at once, and for payloads of at most 600 KB. A publisher has 1 second to return after
 * its connection was cut, after its thread was interrupted, and beyond the time that it was given for the verdicts; 5 seconds
 * to close; and 15 seconds, half of the time that it is given, for each of the calls, with 20 events, that eight threads make
 * at once. Tests of a {@link Fate} that the publisher does not know are skipped.
 *
 * @since 0.1.0
 */
public abstract class PublisherConformance {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration AT_ONCE = Duration.ofSeconds(1);
    private static final Duration CLOSE_BOUND = Duration.ofSeconds(5);

    private PublisherFixture fixture;
    private SampleEvents events;
    private Set<Thread> threadsBefore;
    private EventPublisher publisher;

    /** For subclasses, which JUnit makes one of for each test. */
    protected PublisherConformance() {}

    /**
     * Makes the fixture of one test. An assumption of JUnit's that fails here skips the test.
     *
     * @return a new fixture, closed after the test
     */
    protected abstract PublisherFixture createFixture();

    @BeforeEach
    void open() {
        fixture = createFixture();
        events = new SampleEvents(fixture);
        threadsBefore = Background.nonDaemonThreads();
        publisher = fixture.publisher();
    }

    @AfterEach
    @SuppressWarnings("try") // The publisher is there to be closed.
    void close() {
        // JUnit comes here also when open() has not reached its end; what is null then is passed over.
        try (PublisherFixture opened = fixture;
                EventPublisher made = publisher) {
            if (opened != null) {
                opened.releaseConfirms();
            }
        }
    }

    @Test
    void eachEventGetsItsOwnOutcomeInTheOrderGiven() {
        List<OutboxEvent> good = events.accepted(500);
        List<OutboxEvent> sent = new ArrayList<>();
        List<Kind> expected = new ArrayList<>();
        for (OutboxEvent event : good) {
            sent.addAll(List.of(event, events.of(Fate.UNROUTABLE)));
            expected.addAll(List.of(Kind.CONFIRMED, Kind.REFUSED));
        }
        assertThat(kinds(publish(sent))).isEqualTo(expected);
        assertThat(fixture.take()).containsExactlyInAnyOrderElementsOf(good);
    }

    @Test
    void refusedEventIsBlamedAloneWithAReason() {
        List<OutboxEvent> sent = new ArrayList<>(events.accepted(9));
        sent.add(3, events.of(Fate.REFUSED));
        List<PublishOutcome> outcomes = publish(sent);
        PublishOutcome refused = outcomes.remove(3);
        assertThat(refused.kind()).isEqualTo(Kind.REFUSED);
        assertThat(refused.reason()).isNotBlank();
        sent.remove(3);
        assertThat(outcomes).hasSize(9).containsOnly(PublishOutcome.confirmed());
        assertThat(new HashSet<>(fixture.take())).isEqualTo(new HashSet<>(sent));
    }

    @Test
    void sessionGoesOnAfterARefusal() {
        try (PublisherSession session = publisher.open()) {
            for (Fate fate : List.of(Fate.REFUSED, Fate.ACCEPTED, Fate.UNROUTABLE, Fate.ACCEPTED)) {
                Kind expected = fate == Fate.ACCEPTED ? Kind.CONFIRMED : Kind.REFUSED;
                assertThat(kinds(session.publish(List.of(events.of(fate)), LONG)))
                        .containsExactly(expected);
            }
        }
    }

    @Test
    void lateFailureNeverCountsAsConfirmed() throws Exception {
        List<OutboxEvent> sent = List.of(events.of(Fate.ACCEPTED), events.of(Fate.UNROUTABLE));
        try (PublisherSession session = publisher.open()) {
            CompletableFuture<List<PublishOutcome>> outcomes = publishUnheard(session, sent);
            fixture.releaseConfirms();
            assertThat(kinds(outcomes.get(10, TimeUnit.SECONDS))).containsExactly(Kind.CONFIRMED, Kind.REFUSED);
        }
    }

    @Test
    void confirmThatDoesNotComeInTimeIsUnknownAndPublishReturnsInTime() {
        try (PublisherSession session = publisher.open()) {
            fixture.holdConfirms();
            long start = System.nanoTime();
            List<PublishOutcome> outcomes = session.publish(events.accepted(50), SHORT);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SHORT.plus(AT_ONCE));
            assertThat(kinds(outcomes)).hasSize(50).containsOnly(Kind.UNKNOWN);
        }
    }

    @Test
    void cutConnectionMakesWhatIsOutstandingUnknownAtOnceAndEndsTheSession() throws Exception {
        try (PublisherSession session = publisher.open()) {
            CompletableFuture<List<PublishOutcome>> outcomes = publishUnheard(session, events.accepted(500));
            assertThat(outcomes).isNotDone();
            fixture.cutConnections();
            assertThat(kinds(outcomes.get(1, TimeUnit.SECONDS))).hasSize(500).containsOnly(Kind.UNKNOWN);
            assertThatThrownBy(() -> session.awaitReady(LONG)).isInstanceOf(PublisherUnavailableException.class);
        }
        fixture.releaseConfirms();
        assertThat(publish(events.accepted(10))).hasSize(10).containsOnly(PublishOutcome.confirmed());
    }

    @Test
    void endedSessionConfirmsNothingOfANewOne() {
        try (PublisherSession old = publisher.open()) {
            fixture.holdConfirms();
            assertThat(kinds(old.publish(events.accepted(50), SHORT))).containsOnly(Kind.UNKNOWN);
            fixture.releaseConfirms();
            assertThat(kinds(publish(events.many(50, Fate.UNROUTABLE)))).containsOnly(Kind.REFUSED);
        }
    }

    @Test
    void sameIdMayBeSentAgain() {
        OutboxEvent event = events.of(Fate.ACCEPTED);
        assertThat(publish(List.of(event, event))).hasSize(2).containsOnly(PublishOutcome.confirmed());
        assertThat(publish(List.of(event))).containsExactly(PublishOutcome.confirmed());
        assertThat(fixture.take()).isEqualTo(Collections.nCopies(3, event));
    }

    @Test
    void payloadsOfAllSizesArriveUnchanged() {
        List<OutboxEvent> sent = IntStream.of(0, 1, 200, 300 * 1024)
                .mapToObj(size -> events.withText("é".repeat(size)))
                .toList();
        assertThat(publish(sent)).containsOnly(PublishOutcome.confirmed());
        assertThat(fixture.take())
                .usingElementComparator(Comparator.comparing(OutboxEvent::payloadAsText))
                .containsExactlyInAnyOrderElementsOf(sent);
    }

    @Test
    void headersOfAllTypesArriveUnchanged() {
        Map<String, Object> headers =
                Map.of("text", "größer", "empty", "", "number", Long.MAX_VALUE, "yes", true, "no", false);
        OutboxEvent sent = events.withHeaders(headers);
        assertThat(publish(List.of(sent))).containsExactly(PublishOutcome.confirmed());
        OutboxEvent arrived = fixture.take().get(0);
        assertThat(arrived.headers()).isEqualTo(headers);
        assertThat(arrived).isEqualTo(sent).hasToString(sent.toString());
        assertThat(arrived.createdAt()).isEqualTo(sent.createdAt());
    }

    @Test
    void interruptedPublishReturnsAtOnceAndStaysInterrupted() throws Exception {
        try (PublisherSession session = publisher.open()) {
            List<OutboxEvent> sent = events.accepted(100);
            fixture.holdConfirms();
            Background.Interruptible<List<PublishOutcome>> call =
                    new Background.Interruptible<>(() -> session.publish(sent, LONG));
            awaitArrival();
            call.interrupt();
            assertThat(kinds(call.result(AT_ONCE))).hasSize(100).containsOnly(Kind.UNKNOWN);
            assertThat(call.leftInterrupted()).isTrue();
        }
    }

    @Test
    void failureOfTheUsersCodeIsBlamedOnItsEventAlone() {
        assertThat(kinds(publish(List.of(events.of(Fate.ACCEPTED), events.of(Fate.FAILING), events.of(Fate.ACCEPTED)))))
                .containsExactly(Kind.CONFIRMED, Kind.REFUSED, Kind.CONFIRMED);
    }

    @Test
    void closeEndsWhatIsUnderWayWithinABoundAndMayBeRepeated() throws Exception {
        PublisherSession session = publisher.open();
        CompletableFuture<List<PublishOutcome>> outcomes = publishUnheard(session, events.accepted(100));
        long start = System.nanoTime();
        publisher.close();
        publisher.close();
        assertThat(kinds(outcomes.get(1, TimeUnit.SECONDS))).containsOnly(Kind.UNKNOWN);
        session.close();
        session.close();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(CLOSE_BOUND);
    }

    @Test
    void closedSessionIsNotReadyAndSendsNothing() {
        PublisherSession session = publisher.open();
        session.close();
        assertThatThrownBy(() -> session.awaitReady(LONG)).isInstanceOf(PublisherUnavailableException.class);
        assertThat(kinds(session.publish(events.accepted(2), LONG))).containsExactly(Kind.UNKNOWN, Kind.UNKNOWN);
        assertThat(publish(events.accepted(1))).containsExactly(PublishOutcome.confirmed());
        assertThat(fixture.take()).hasSize(1);
    }

    @Test
    void closedPublisherOpensNothing() {
        publisher.close();
        assertThatThrownBy(publisher::open).isInstanceOf(PublisherUnavailableException.class);
    }

    @Test
    void sessionsOfManyThreadsResolveEveryEventSoon() throws Exception {
        List<CompletableFuture<Duration>> slowest = IntStream.range(0, 8)
                .mapToObj(thread -> Background.call(() -> events.slowestOf(publisher, 40)))
                .toList();
        for (CompletableFuture<Duration> thread : slowest) {
            // An event that nobody looks after is resolved when the time is up.
            assertThat(thread.get(2, TimeUnit.MINUTES)).isLessThan(LONG.dividedBy(2));
        }
        assertThat(new HashSet<>(fixture.take())).hasSize(8 * 40 * SampleEvents.GROUP);
    }

    @Test
    void noThreadOfThePublisherKeepsTheJvmAlive() {
        try (PublisherSession session = publisher.open()) {
            assertThat(session.publish(events.accepted(1), LONG)).containsExactly(PublishOutcome.confirmed());
            assertThat(Background.nonDaemonThreads()).isSubsetOf(threadsBefore);
        }
    }

    /** Returns when some have arrived, and the broker's answers are held back. */
    private CompletableFuture<List<PublishOutcome>> publishUnheard(PublisherSession session, List<OutboxEvent> sent) {
        fixture.holdConfirms();
        CompletableFuture<List<PublishOutcome>> outcomes = Background.call(() -> session.publish(sent, LONG));
        awaitArrival();
        return outcomes;
    }

    /** On the test's thread, which is the only one that a fixture has to know. */
    private void awaitArrival() {
        await().pollInSameThread().until(() -> !fixture.take().isEmpty());
    }

    private static List<Kind> kinds(List<PublishOutcome> outcomes) {
        return outcomes.stream().map(PublishOutcome::kind).toList();
    }

    private List<PublishOutcome> publish(List<OutboxEvent> sent) {
        try (PublisherSession session = publisher.open()) {
            return new ArrayList<>(session.publish(sent, LONG));
        }
    }
}
