package dev.typedoutbox.relay;

import dev.typedoutbox.store.Notice;
import dev.typedoutbox.store.Notifications;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes the workers of a relay when there are new events.
 *
 * <p>A notification costs the writers, so they notify only while a relay sleeps: then it holds the gate, a lock that the
 * trigger looks at. A writer that looked just before that will be silent when it commits, so the relay polls once it has
 * the gate, and again after 10, 20, 40 ms and so on. docs/model shows that no event is slept over.
 *
 * <p>The connection is replaced when it ends or no longer answers. Without it the workers poll.
 */
final class Listener implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final Duration FIRST_FOLLOW_UP = Duration.ofMillis(10);

    /** How often a relay tries for a gate that another holds, and polls: the other may have died. */
    private static final Duration LONGEST_WITHOUT_GATE = Duration.ofSeconds(1);

    private static final Duration BETWEEN_PROBES = Duration.ofSeconds(5);
    private static final Duration ARRIVAL = Duration.ofSeconds(2);
    private static final Duration SWALLOWED_RETRY = Duration.ofMinutes(1);
    private static final int LOGIN_SECONDS = 10;
    private static final double QUEUE_WARNING = 0.5;

    private final DataSource dataSource;
    private final RelayConfig config;
    private final Bell bell;
    private final Floor floor;
    private final Backoff backoff = new Backoff();
    private volatile @Nullable Notifications current;
    private volatile boolean listening;
    private boolean toldDeaf;
    private boolean toldQueue;

    Listener(DataSource dataSource, RelayConfig config, Bell bell, Floor floor) {
        this.dataSource = dataSource;
        this.config = config;
        this.bell = bell;
        this.floor = floor;
    }

    boolean isListening() {
        return listening;
    }

    @Override
    public void run() {
        while (!bell.isClosed()) {
            try {
                bell.pause(connectAndListen());
            } catch (InterruptedException e) {
                LOG.debug("the listener was interrupted", e);
            }
        }
    }

    /** Listens until that ends, and tells how long to wait before trying again. */
    private Duration connectAndListen() throws InterruptedException {
        try (Notifications notifications = connect()) {
            if (!bell.isClosed() && !notifications.arrive(dataSource, ARRIVAL)) {
                deaf("notifications do not arrive, as behind a pooler in transaction mode");
                return SWALLOWED_RETRY;
            }
            listen(notifications);
        } catch (SQLException | RuntimeException | Error e) {
            deaf(String.valueOf(e.getMessage()));
        } finally {
            current = null;
        }
        return backoff.next();
    }

    private Notifications connect() throws SQLException {
        if (dataSource.getLoginTimeout() == 0) {
            dataSource.setLoginTimeout(LOGIN_SECONDS);
        }
        Notifications connected = Notifications.open(dataSource, config.schema());
        current = connected;
        return connected;
    }

    private void listen(Notifications notifications) throws SQLException, InterruptedException {
        hearing();
        // For what was committed while nobody listened.
        bell.ring();
        while (!bell.isClosed()) {
            if (bell.awaitAllResting(BETWEEN_PROBES)) {
                bell.boundRests(config.fallbackPollInterval());
                sleep(notifications);
                bell.boundRests(config.pollInterval());
            } else {
                probe(notifications);
            }
        }
    }

    /** Sleeps until something is heard, or a follow-up poll finds what nobody told of. */
    private void sleep(Notifications notifications) throws SQLException {
        long batchesBefore = bell.batches();
        boolean gate = notifications.takeGate();
        bell.ring();
        Duration step = FIRST_FOLLOW_UP;
        Notice notice = notifications.await(step);
        while (notice == Notice.NOTHING && bell.batches() == batchesBefore && !bell.isClosed()) {
            step = next(step, gate ? config.fallbackPollInterval() : LONGEST_WITHOUT_GATE);
            gate = gate || notifications.takeGate();
            if (step.compareTo(LONGEST_WITHOUT_GATE) >= 0) {
                probe(notifications);
            }
            bell.ring();
            notice = notifications.await(step);
        }
        wake(notifications, notice, gate);
    }

    private static Duration next(Duration step, Duration longest) {
        Duration twice = step.multipliedBy(2);
        return twice.compareTo(longest) < 0 ? twice : longest;
    }

    private void wake(Notifications notifications, Notice notice, boolean gate) {
        if (notice == Notice.RETRIED_DEAD_LETTERS) {
            floor.sweepSoon();
        }
        if (notice != Notice.NOTHING) {
            bell.ring();
        }
        if (gate) {
            notifications.leaveGate();
        }
    }

    private void probe(Notifications notifications) {
        double usage = notifications.queueUsage();
        if (usage >= QUEUE_WARNING && !toldQueue) {
            LOG.atWarn()
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
        LOG.info("relay listens for new events");
    }

    private void deaf(String reason) {
        listening = false;
        bell.boundRests(config.pollInterval());
        if (!toldDeaf && !bell.isClosed()) {
            toldDeaf = true;
            LOG.atWarn()
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
