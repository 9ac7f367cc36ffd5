package dev.typedoutbox.servers;

import java.net.URI;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A running AMQP 0-9-1 server. What is not closed before is closed at the exit of the JVM.
 *
 * <p>Thread-safe, but what is done to the server concerns everyone who uses it.
 *
 * @since 0.1.0
 */
public final class AmqpServer implements AutoCloseable {

    /** The environment variable that names an external server: an {@code amqp://} URI with user and password. */
    public static final String URI_VARIABLE = "OUTBOX_TEST_AMQP_URI";

    /** The environment variable that forbids anything but RabbitMQ when it is {@code required}. */
    public static final String RABBITMQ_VARIABLE = "OUTBOX_TEST_RABBITMQ";

    /**
     * The environment variable that names the {@code rabbitmq-server} to start, with its tools beside it: for a version that
     * is not where installations are looked for, or where a container would be taken instead.
     */
    public static final String SERVER_VARIABLE = "OUTBOX_TEST_RABBITMQ_SERVER";

    /** One line for the report of a test that is skipped because it needs RabbitMQ: {@value}. */
    public static final String HOW_TO_GET_RABBITMQ =
            "install rabbitmq-server, start a Docker engine or set " + URI_VARIABLE;

    private static final Object SHARED_LOCK = new Object();

    private static @Nullable AmqpServer shared;

    private final ServerProcess process;
    private final URI uri;
    private final boolean rabbitMq;

    private AmqpServer(ServerProcess process, URI uri, boolean rabbitMq) {
        this.process = process;
        this.uri = uri;
        this.rabbitMq = rabbitMq;
    }

    /**
     * Takes the server that {@value #URI_VARIABLE} names; else starts a node of its own with the script that
     * {@value #SERVER_VARIABLE} names; else starts RabbitMQ in a container where a Docker engine answers; else starts a node
     * of its own from an installed RabbitMQ; else starts Apache Qpid Broker-J inside this
     * JVM, unless {@value #RABBITMQ_VARIABLE} is {@code required}.
     *
     * @return the running server
     * @throws IllegalStateException if the server does not start, or if RabbitMQ is required and there is none
     */
    public static AmqpServer start() {
        return AmqpLadder.of(System::getenv).start();
    }

    /**
     * Starts Apache Qpid Broker-J inside this JVM, whatever else there is.
     *
     * @return the running server
     * @throws IllegalStateException if the server does not start
     */
    public static AmqpServer startEmbedded() {
        BrokerJ broker = BrokerJ.start();
        return ready(broker, localUri("127.0.0.1", broker.port()), false);
    }

    /**
     * Starts a node of its own from an installed RabbitMQ, whatever else there is, that takes connections over TLS too. Its
     * certificate is made for it.
     *
     * @return the running server; empty where no RabbitMQ is installed
     * @throws IllegalStateException if the server does not start, or if RabbitMQ is required and none is installed
     */
    public static Optional<AmqpServer> startWithTls() {
        return AmqpLadder.of(System::getenv).startWithTls();
    }

    static AmqpServer ready(ServerProcess process, URI uri, boolean rabbitMq) {
        AmqpServer server = opened(process, uri, rabbitMq);
        server.awaitReady();
        return server;
    }

    static AmqpServer opened(ServerProcess process, URI uri, boolean rabbitMq) {
        AmqpServer server = new AmqpServer(process, uri, rabbitMq);
        OpenServers.add(server);
        return server;
    }

    static URI localUri(String host, int port) {
        return URI.create("amqp://guest:guest@" + host + ":" + port + "/%2F");
    }

    /**
     * The one server of this JVM, started by {@link #start()} at the first call. It must not be closed by its users.
     *
     * @return the shared server
     * @throws IllegalStateException if the server does not start, or if RabbitMQ is required and there is none
     */
    public static AmqpServer shared() {
        synchronized (SHARED_LOCK) {
            AmqpServer known = shared;
            if (known == null) {
                known = start();
                shared = known;
            }
            return known;
        }
    }

    /**
     * Where the server listens.
     *
     * @return {@code amqp://user:password@host:port/vhost}
     */
    public URI uri() {
        return uri;
    }

    /**
     * Where the server takes connections over TLS.
     *
     * @return {@code amqps://user:password@host:port/vhost}
     * @throws UnsupportedOperationException if it takes none
     */
    public URI tlsUri() {
        return URI.create(uri.toString()
                .replace("amqp:", "amqps:")
                .replace(":" + uri.getPort(), ":" + process.tls().port()));
    }

    /**
     * What a client needs to connect over TLS.
     *
     * @return a context that trusts the server's certificate and no other
     * @throws UnsupportedOperationException if the server takes no connections over TLS
     */
    public SSLContext tlsContext() {
        return process.tls().clientContext();
    }

    /**
     * Whether the server is RabbitMQ, and not just a server with the same protocol.
     *
     * @return true for RabbitMQ
     */
    public boolean isRabbitMq() {
        return rabbitMq;
    }

    /**
     * Whether the server can be stopped, killed, frozen, thawed, resumed and administered.
     *
     * @return false for an external server and for Broker-J
     */
    public boolean isControllable() {
        return process.isControllable();
    }

    /**
     * The server's process, whose children belong to it too.
     *
     * @return the process; empty unless the server is a process of its own on this machine, started from here
     */
    public Optional<ProcessHandle> process() {
        return process.process();
    }

    /**
     * Shuts the server down in good order; durable queues and persistent messages are kept.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void stop() {
        process.stop();
    }

    /**
     * Ends all processes of the server with SIGKILL, as in a crash.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void kill() {
        process.kill();
    }

    /**
     * Stops the execution of the server with SIGSTOP: connections stay open, and nothing answers.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void freeze() {
        process.freeze();
    }

    /**
     * Lets a frozen server run again.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void thaw() {
        process.thaw();
    }

    /**
     * Makes the server believe that it is short of memory: it blocks every connection that publishes, until
     * {@link #clearMemoryAlarm()}.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void raiseMemoryAlarm() {
        administer("set_vm_memory_high_watermark", "0.0000001");
    }

    /**
     * Ends what {@link #raiseMemoryAlarm()} began.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void clearMemoryAlarm() {
        administer("set_vm_memory_high_watermark", "0.6");
    }

    /**
     * Lets the server close all its connections in good order, as an operator does.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     */
    public void closeConnections() {
        administer("close_all_connections", "closed by a test");
    }

    /**
     * Lets RabbitMQ evaluate an expression inside itself, for states that nothing else brings about at will.
     *
     * @param expression in Erlang, with the full stop at its end
     * @throws UnsupportedOperationException if the server is not controllable
     * @throws IllegalStateException if the expression fails
     */
    public void evaluate(String expression) {
        administer("eval", expression);
    }

    /**
     * Starts the stopped or killed server again, with the same port and data, and waits until it answers.
     *
     * @throws UnsupportedOperationException if the server is not controllable
     * @throws IllegalStateException if the server does not start
     */
    public void resume() {
        process.resume();
        awaitReady();
    }

    /** Ends the server and deletes its data; an external server is left alone. */
    @Override
    public void close() {
        if (OpenServers.remove(this)) {
            process.close();
        }
    }

    private void administer(String command, String argument) {
        process.administer("rabbitmqctl", command, argument);
    }

    private void awaitReady() {
        Readiness.await("The answer of the AMQP server at " + uri.getAuthority(), () -> {
            process.requireAlive();
            return AmqpGreeting.of(uri).isFromRabbitMq() == rabbitMq;
        });
    }
}
