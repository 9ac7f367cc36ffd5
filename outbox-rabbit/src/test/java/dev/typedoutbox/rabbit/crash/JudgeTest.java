package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.rabbit.support.Events;
import dev.typedoutbox.relay.PublishOutcome;
import dev.typedoutbox.relay.PublisherSession;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.relay.RetryPolicy;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Runs in which something is wrong on purpose: the account that judges all others must find it. */
class JudgeTest {
    private static final Duration BOUND = Duration.ofSeconds(3);
    private static final RetryPolicy QUICKLY = new RetryPolicy(5, Duration.ofMillis(1), Duration.ofMillis(1));
    private static final RelayConfig CONFIG =
            RelayConfig.builder().batchSize(50).retryPolicy(QUICKLY).build();

    private final AtomicBoolean done = new AtomicBoolean();

    @Test
    void eventThatIsConfirmedButNotSentIsMissed() throws Exception {
        assertThatRunIsCondemned(CONFIG, "1 events lost", (session, events, timeout) -> {
            if (!once()) {
                return session.publish(events, timeout);
            }
            List<PublishOutcome> outcomes = new ArrayList<>(List.of(PublishOutcome.confirmed()));
            if (events.size() > 1) {
                outcomes.addAll(session.publish(events.subList(1, events.size()), timeout));
            }
            return outcomes;
        });
    }

    @Test
    void eventThatIsSentAgainWithoutAFaultIsNoticed() throws Exception {
        assertThatRunIsCondemned(CONFIG, "1 duplicates, of which 0", (session, events, timeout) -> {
            if (once()) {
                session.publish(events.subList(0, 1), timeout);
            }
            return session.publish(events, timeout);
        });
    }

    @Test
    void eventThatNobodyCommittedIsNoticed() throws Exception {
        assertThatRunIsCondemned(
                CONFIG, "1 events arrived without having been committed", (session, events, timeout) -> {
                    if (once()) {
                        session.publish(List.of(Events.of("order.invented")), timeout);
                    }
                    return session.publish(events, timeout);
                });
    }

    @Test
    void attemptThatIsCountedWithoutAFaultIsNoticed() throws Exception {
        assertThatRunIsCondemned(CONFIG, "1 events with attempts counted", (session, events, timeout) -> {
            List<PublishOutcome> outcomes = new ArrayList<>(session.publish(events, timeout));
            if (once()) {
                outcomes.set(0, PublishOutcome.refused("a lie"));
            }
            return outcomes;
        });
    }

    @Test
    void wrongOrderIsNoticed() throws Exception {
        RelayConfig careless = RelayConfig.builder().ordered(false).build();
        assertThatRunIsCondemned(careless, "first arrivals out of order", JudgeTest::sendBackwards);
    }

    private static List<PublishOutcome> sendBackwards(
            PublisherSession session, List<OutboxEvent> events, Duration timeout) {
        List<OutboxEvent> backwards = new ArrayList<>(events);
        Collections.reverse(backwards);
        List<PublishOutcome> outcomes = new ArrayList<>(session.publish(backwards, timeout));
        Collections.reverse(outcomes);
        return outcomes;
    }

    private boolean once() {
        return done.compareAndSet(false, true);
    }

    private static void assertThatRunIsCondemned(RelayConfig config, String complaint, DecoratedPublisher.Sending wrong)
            throws Exception {
        Broker broker = Broker.shared();
        try (FaultRun run = new FaultRun("wrong on purpose", PostgresServer.shared(), broker)) {
            run.load(200);
            run.relay(
                    config,
                    run.pool(run.database().direct(FaultRun.RELAY)),
                    new DecoratedPublisher(run.publisher(broker.factory()), wrong));
            run.flow();
            run.heal();
            assertThat(run.judge(BOUND).complaints())
                    .anySatisfy(found -> assertThat(found).contains(complaint));
        }
    }
}
