package dev.typedoutbox.servers;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A RabbitMQ node of our own, with its own name, ports, folders and port mapper. */
final class RabbitNode implements ServerProcess {

    private static final int STOP_SECONDS = 60;
    private static final int TOOL_SECONDS = 60;

    private final Path script;
    private final TemporaryFolder folder = new TemporaryFolder("typed-outbox-rabbitmq-");
    private final Epmd epmd = new Epmd(FreePort.find());
    private final int port = FreePort.find();
    private final Map<String, String> settings;
    private final @Nullable TlsListener tls;
    private Process process;

    private RabbitNode(Path script, boolean withTls) {
        this.script = script;
        this.tls = withTls ? new TlsListener(folder) : null;
        this.settings =
                RabbitSettings.environment(folder, port, epmd.port(), tls == null ? List.of() : tls.configuration());
        this.process = launch();
    }

    static RabbitNode start(Path script) {
        return new RabbitNode(script, false);
    }

    /** A node that takes connections over TLS too, at a port of their own. */
    static RabbitNode startWithTls(Path script) {
        return new RabbitNode(script, true);
    }

    int port() {
        return port;
    }

    @Override
    public TlsListener tls() {
        return tls == null ? ServerProcess.super.tls() : tls;
    }

    @Override
    public String description() {
        return "The RabbitMQ node";
    }

    @Override
    public boolean isControllable() {
        return true;
    }

    @Override
    public void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("RabbitMQ ended: " + LogTail.of(folder.resolve(RabbitSettings.LOG)));
        }
    }

    @Override
    public synchronized void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS, SECONDS)) {
                throw new IllegalStateException("RabbitMQ did not stop within " + STOP_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while RabbitMQ stops", e);
        }
    }

    @Override
    public synchronized void kill() {
        tree().kill();
        // Until the JVM has taken note, it reports a dead child as alive.
        process.onExit().join();
    }

    @Override
    public synchronized void freeze() {
        tree().freeze();
    }

    @Override
    public synchronized void thaw() {
        tree().thaw();
    }

    @Override
    public synchronized void resume() {
        if (!process.isAlive()) {
            process = launch();
        }
    }

    /** The tools lie beside the start script, and find the node by the same settings. */
    @Override
    public void administer(String... command) {
        Path output = folder.resolve("tool.log");
        ProcessBuilder builder = builder(command, Redirect.to(output.toFile()));
        builder.command().set(0, script.resolveSibling(command[0]).toString());
        if (ended(start(builder)) != 0) {
            throw new IllegalStateException(String.join(" ", command) + " failed: " + LogTail.of(output));
        }
    }

    @Override
    public synchronized void close() {
        tree().kill();
        epmd.stop();
        folder.close();
    }

    @Override
    public synchronized Optional<ProcessHandle> process() {
        return Optional.of(process.toHandle());
    }

    private ProcessTree tree() {
        return new ProcessTree(process.toHandle());
    }

    private Process launch() {
        return start(builder(
                new String[] {script.toString()},
                Redirect.appendTo(folder.resolve(RabbitSettings.LOG).toFile())));
    }

    private ProcessBuilder builder(String[] command, Redirect output) {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output);
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(RabbitNode::belongsToAnotherNode);
        environment.putAll(settings);
        return builder;
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int ended(Process process) {
        try {
            if (!process.waitFor(TOOL_SECONDS, SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("RabbitMQ's tool did not end within " + TOOL_SECONDS + " s");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while RabbitMQ's tool runs", e);
        }
    }

    private static boolean belongsToAnotherNode(String variable) {
        return variable.startsWith("RABBITMQ_") || variable.startsWith("ERL_") || variable.equals("NOTIFY_SOCKET");
    }
}
