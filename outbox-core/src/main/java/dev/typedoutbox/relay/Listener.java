package dev.typedoutbox.relay;

import dev.typedoutbox.store.Notifications;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.common.BaseDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the workers of a relay when there are new events.
 *
 * <p>A notification costs the writers, so they notify only while a relay sleeps: then it holds the gate, a lock that the
 * trigger looks at. A writer that looked just before that will be silent when it commits, so the relay polls once it has
 * the gate, and again after 10, 20, 40 ms and so on ({@link FollowUps}). docs/model shows that no event is slept over.
 *
 * <p>The connection is replaced when it ends or no longer answers. Without it the workers poll.
 */
final class Listener implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);

    /** How often a relay tries for a gate that another holds: the other may have died. */
    private static final Duration BETWEEN_GATE_TRIES = Duration.ofSeconds(5);

    private static final Duration LONGEST_BUSY = Duration.ofSeconds(1);
    /** Longer than between tries for the gate, each of which is a probe as well. */
    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(6);

    private static final Duration ARRIVAL = Duration.ofSeconds(2);
    private static final Duration SWALLOWED_RETRY = Duration.ofMinutes(1);
    private static final int LOGIN_SECONDS = 10;
    private static final double QUEUE_WARNING = 0.5;

    private static final long LAST_RESORT = Duration.ofMillis(500).toNanos();

    private final DataSource dataSource;
    private final DataSource outbox;
    private final RelayConfig config;
    private final Bell bell;
    private final Backoff backoff = new Backoff();
    private volatile @Nullable Notifications current;
    private volatile boolean listening;
    private boolean toldDeaf;
    private long probedAt = System.nanoTime();
    private boolean toldQueue;

    /**
     * @param dataSource where to listen
     * @param outbox where the workers find events, and what is listened for must come from
     */
    Listener(DataSource dataSource, DataSource outbox, RelayConfig config, Bell bell) {
        this.dataSource = dataSource;
        this.outbox = outbox;
        this.config = config;
        this.bell = bell;
    }

    boolean isListening() {
        return listening;
    }

    @Override
    public void run() {
        while (!bell.isClosed()) {
            try {
                bell.pause(connectAndListen());
            } catch (Throwable e) {
                // What was to be done about a failure has failed as well. Nothing is tried here that could fail again.
                LockSupport.parkNanos(LAST_RESORT);
            }
        }
    }

    /** Listens until that ends, and tells how long to wait before trying again. */
    private Duration connectAndListen() {
        try (Notifications notifications = connect()) {
            if (!bell.isClosed() && !notifications.arrive(outbox, ARRIVAL)) {
                tellDeaf(
                        "notifications do not arrive, as behind a pooler in transaction mode or from another database");
                return SWALLOWED_RETRY;
            }
            listen(notifications);
        } catch (Throwable e) {
            // Not even an OutOfMemoryError may end the thread, nor an exception that a data source does not declare.
            tellDeaf(String.valueOf(e.getMessage()));
        } finally {
            current = null;
            listening = false;
            bell.boundRests(config.pollInterval());
        }
        return backoff.next();
    }

    private Notifications connect() throws SQLException {
        boundLogin();
        Notifications connected = Notifications.open(dataSource, config.schema());
        current = connected;
        return connected;
    }

    /** A server that accepts and does not answer must not hold the thread, nor the driver's own one. */
    private void boundLogin() throws SQLException {
        if (dataSource instanceof BaseDataSource driver && driver.getSocketTimeout() == 0) {
            driver.setSocketTimeout(LOGIN_SECONDS);
        }
        try {
            if (dataSource.getLoginTimeout() == 0) {
                dataSource.setLoginTimeout(LOGIN_SECONDS);
            }
        } catch (SQLFeatureNotSupportedException | UnsupportedOperationException e) {
            LOG.debug("data source takes no log-in time-out", e);
        }
    }

    private void listen(Notifications notifications) throws SQLException, InterruptedException {
        notifications.introduce(config.name());
        hearing();
        // For what was committed while nobody listened.
        bell.ring();
        while (!bell.isClosed()) {
            if (bell.awaitAllResting(LONGEST_BUSY)) {
                bell.boundRests(longestRest());
                sleep(notifications);
                bell.boundRests(config.pollInterval());
            } else {
                // Busy, so what is heard tells nothing new; but it must be taken out.
                await(notifications, Duration.ofMillis(1));
            }
        }
    }

    /**
     * The listener polls for all, by waking one worker after the other. If each worker did so by itself, an idle relay would
     * ask several times as often; that they do so at last is for a listener that is stuck.
     */
    private Duration longestRest() {
        return config.fallbackPollInterval().multipliedBy(2L * config.workers());
    }

    /** Sleeps until something is heard, or a follow-up poll finds what nobody told of. */
    private void sleep(Notifications notifications) throws SQLException {
        long batchesBefore = bell.batches();
        boolean gate = notifications.takeGate();
        boolean heard = false;
        FollowUps followUps = new FollowUps(config.fallbackPollInterval());
        bell.ring();
        while (!heard && bell.batches() == batchesBefore && !bell.isClosed()) {
            heard = await(notifications, gate ? followUps.left() : shorter(followUps.left(), BETWEEN_GATE_TRIES));
            if (!heard && !gate && takesGateLate(notifications)) {
                // Whoever had it may have died, and writers have told nobody since.
                gate = true;
                bell.ring();
                followUps.beginAgain();
            } else if (!heard && followUps.isDue()) {
                bell.ring();
                followUps.next();
            }
        }
        if (heard) {
            bell.ring();
        }
        if (gate) {
            notifications.leaveGate();
        }
    }

    private boolean takesGateLate(Notifications notifications) {
        boolean gate = notifications.takeGate();
        probedAt = System.nanoTime();
        return gate;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Waits until something is heard, or the time is over; a connection that ends or no longer answers is found out. */
    private boolean await(Notifications notifications, Duration time) throws SQLException {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0 && !bell.isClosed(); left = end - System.nanoTime()) {
            if (notifications.await(shorter(Duration.ofNanos(left), BETWEEN_PROBES))) {
                return true;
            }
            probe(notifications);
        }
        return false;
    }

    private void probe(Notifications notifications) {
        if (System.nanoTime() - probedAt < BETWEEN_PROBES.toNanos()) {
            return;
        }
        probedAt = System.nanoTime();
        double usage = notifications.queueUsage();
        if (usage >= QUEUE_WARNING && !toldQueue) {
            LOG.atWarn()
                    .addKeyValue("relay", config.name())
                    .addKeyValue("usage", usage)
                    .log("the database's queue of notifications fills up: some session that listens has been in a"
                            + " transaction for long; when it is full, commits that notify fail");
        }
        toldQueue = usage >= QUEUE_WARNING;
    }

    private void hearing() {
        listening = true;
        backoff.reset();
        toldDeaf = false;
        LOG.atInfo().addKeyValue("relay", config.name()).log("relay listens for new events");
    }

    private void tellDeaf(String reason) {
        if (!toldDeaf && !bell.isClosed()) {
            toldDeaf = true;
            LOG.atWarn()
                    .addKeyValue("relay", config.name())
                    .addKeyValue("poll_interval", config.pollInterval())
                    .log("relay does not listen, and polls: " + reason);
        }
    }

    /** Ends what is done with the database; the bell must be closed before. */
    void cut() {
        Notifications cut = current;
        if (cut != null) {
            cut.cut();
        }
    }
}
