package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.support.Broker;
import dev.typedoutbox.relay.EventPublisher;
import dev.typedoutbox.relay.Relay;
import dev.typedoutbox.relay.RelayConfig;
import dev.typedoutbox.servers.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What others would call a fault, and what must not even cause a duplicate. */
class UndisturbedRelayTest {
    private static final Duration RECOVERY = Duration.ofSeconds(15);
    private static final RelayConfig CONFIG =
            RelayConfig.builder().batchSize(50).build();

    private static final String OF_FREE_SLOTS = "outbox_events where processed_at is null and slot not in"
            + " (select objid::bigint from pg_locks where locktype = 'advisory'"
            + " and classid = 'outbox_events'::regclass)";

    private final Broker broker = Broker.shared();

    @Test
    void tenDeploysUnderLoadLoseNothingAndRepeatNothing() throws Exception {
        try (FaultRun run = run("10 deploys")) {
            run.load(10_000);
            Relay relay = run.relay(CONFIG);
            run.flow();
            for (int i = 0; i < 10; i++) {
                run.accounts().faultStrikes();
                relay.close();
                relay = run.relay(CONFIG);
                run.heal();
                run.awaitMore(RECOVERY);
            }
            assertThat(run.end(RECOVERY).duplicates()).isZero();
        }
    }

    @Test
    void slowSendOfOneRelayHoldsBackItsOwnSlotsAlone() throws Exception {
        CountDownLatch confirmed = new CountDownLatch(1);
        try (FaultRun run = run("one slow send")) {
            run.load(1_000);
            RelayConfig oneWorker =
                    RelayConfig.builder().workers(1).batchSize(50).build();
            run.relay(oneWorker, pool(run), slow(run, confirmed, Duration.ofMinutes(1)));
            await().until(() -> run.lockedSlots() > 0);
            run.inject(() -> run.relay(CONFIG), confirmed::countDown);
            run.receive();

            await().atMost(Duration.ofSeconds(5))
                    .until(() -> run.lockedSlots() <= 16 && run.database().count(OF_FREE_SLOTS) == 0);
            assertThat(run.database().pending()).isBetween(1L, 500L);
            assertThat(run.lockedSlots()).isPositive();
            assertThat(run.database().count("pg_locks where not granted")).isZero();
            run.write();
            run.heal();
            assertThat(run.end(RECOVERY).duplicates()).isZero();
        }
    }

    @Test
    void roleWhoseSessionsMayHardlyIdleInATransactionStillPublishesEachEventOnce() throws Exception {
        CountDownLatch quick = new CountDownLatch(1);
        try (FaultRun run = run("idle bound below the confirm latency")) {
            PGSimpleDataSource strict = run.database().direct(FaultRun.RELAY);
            strict.setOptions("-c idle_in_transaction_session_timeout=100");
            run.load(200);
            run.receive();
            run.inject(
                    () -> run.relay(CONFIG, run.pool(strict), slow(run, quick, Duration.ofMillis(500))),
                    quick::countDown);
            run.awaitMore(RECOVERY);
            run.write();
            run.heal();
            assertThat(run.end(RECOVERY).duplicates()).isZero();
        }
    }

    /** Each group waits for the latch, but no longer than so long. */
    private EventPublisher slow(FaultRun run, CountDownLatch latch, Duration longest) {
        return new DecoratedPublisher(run.publisher(broker.factory()), (session, events, timeout) -> {
            try {
                latch.await(longest.toNanos(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return session.publish(events, timeout);
        });
    }

    private static DataSource pool(FaultRun run) {
        return run.pool(run.database().direct(FaultRun.RELAY));
    }

    private FaultRun run(String fault) {
        return new FaultRun(fault, PostgresServer.shared(), broker);
    }
}
