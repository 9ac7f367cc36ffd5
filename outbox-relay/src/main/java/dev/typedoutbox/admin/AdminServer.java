package dev.typedoutbox.admin;

import dev.typedoutbox.deadletter.DeadLetters;
import dev.typedoutbox.relay.RelayObserver;
import dev.typedoutbox.status.OutboxStatus;
import io.javalin.Javalin;
import io.javalin.util.JavalinException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.time.Clock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A page for the operator of an outbox: what is pending and for how long, what the relays do, which events are dead letters
 * and why, and buttons to retry and to discard them. What it shows is also there for scripts, as JSON.
 *
 * <p>It listens on this machine alone unless it is told otherwise, and then it asks for a token. While nobody looks at it,
 * it asks the database nothing; while somebody does, about once a second, however many they are.
 *
 * <p>Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class AdminServer implements AutoCloseable {
    /** Where the page listens by default: {@value}. */
    public static final String DEFAULT_HOST = "127.0.0.1";

    private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);

    private final AdminSettings settings;
    private final OutboxStatus status;
    private final DeadLetters deadLetters;
    private final Activity activity = new Activity(Clock.systemUTC());

    private @Nullable Sampler sampler;
    private @Nullable Javalin http;

    AdminServer(DataSource dataSource, AdminSettings settings) {
        this.settings = settings;
        this.status = OutboxStatus.of(dataSource, settings.schema());
        this.deadLetters = DeadLetters.of(dataSource, settings.schema());
    }

    /**
     * Begins the settings of a page.
     *
     * @param dataSource the outbox's database, best a pool; the role needs the right to select from the outbox, and to
     *     update it unless the page is read-only. Not closed with the page
     * @return the builder
     */
    public static AdminServerBuilder builder(DataSource dataSource) {
        return new AdminServerBuilder(dataSource);
    }

    /**
     * What the page's plots of throughput and delay are made from: give it to the relays of this process with
     * {@code RelayConfig.builder().observer(...)}. Where no relay does, the page shows what the database tells.
     *
     * @return the observer, the same at each call
     */
    public RelayObserver observer() {
        return activity;
    }

    /**
     * Starts to listen. The database need not be there. A page that was closed can be started again.
     *
     * @throws IllegalStateException if the page is started already, or the address cannot be listened at
     */
    public synchronized void start() {
        if (http != null) {
            throw new IllegalStateException("page must be closed to be started (was started)");
        }
        Sampler samples = new Sampler(new Readings(status, Clock.systemUTC()));
        Access access = new Access(settings.token(), System::nanoTime);
        LiveStream stream = new LiveStream(settings, access, samples, activity);
        DeadLetterApi api = new DeadLetterApi(deadLetters, settings.showPayloads());
        http = listen(Javalin.create(new AdminRoutes(settings, access, stream, api)::configure));
        samples.start();
        sampler = samples;
        LOG.atInfo()
                .addKeyValue("uri", uri())
                .addKeyValue("read_only", settings.readOnly())
                .log("admin page is up");
    }

    private Javalin listen(Javalin server) {
        try {
            return server.start(settings.address().getHostAddress(), settings.port());
        } catch (JavalinException e) {
            throw new IllegalStateException(
                    "host and port must be a free address of this machine (was " + settings.host() + ":"
                            + settings.port() + ")",
                    e);
        }
    }

    /**
     * The port that the page listens at.
     *
     * @return the port
     * @throws IllegalStateException if the page is not started
     */
    public synchronized int port() {
        if (http == null) {
            throw new IllegalStateException("page must be started to have a port (was not)");
        }
        return http.port();
    }

    /**
     * Where the page is, for a browser on this machine.
     *
     * @return the URI, with a slash at the end
     * @throws IllegalStateException if the page is not started
     */
    public URI uri() {
        InetAddress address = settings.address();
        String host = address.isAnyLocalAddress() ? DEFAULT_HOST : address.getHostAddress();
        boolean needsBrackets = address instanceof Inet6Address && !address.isAnyLocalAddress();
        return URI.create("http://" + (needsBrackets ? "[" + host + "]" : host) + ":" + port() + "/");
    }

    /** Stops to listen and ends open pages' connections. Does nothing when the page is not started. */
    @Override
    public synchronized void close() {
        if (sampler != null) {
            sampler.close();
            sampler = null;
        }
        if (http != null) {
            http.stop();
            http = null;
            LOG.info("admin page is down");
        }
    }
}
