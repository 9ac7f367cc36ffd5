package dev.typedoutbox.servers;

import static java.util.concurrent.TimeUnit.MINUTES;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The PostgreSQL that Maven delivers. Unpacking, the first start and the cleaning up are Zonky's; what Zonky does not
 * offer, {@code pg_ctl} does.
 */
final class PostgresBinaries implements ServerProcess {

    static final String USER = "postgres";

    // Not the defaults of Zonky: an acknowledged commit must survive kill(), and a socket file must not survive it.
    private static final Map<String, String> DEFAULTS =
            Map.of("synchronous_commit", "on", "unix_socket_directories", "", "listen_addresses", "127.0.0.1");
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);

    private final EmbeddedPostgres embedded;
    private final Path data;
    private final Path log;
    private boolean running = true;

    private PostgresBinaries(EmbeddedPostgres embedded, Path data, Path log) {
        this.embedded = embedded;
        this.data = data;
        this.log = log;
    }

    static PostgresBinaries start(Map<String, String> settings) {
        // In Zonky's own folder, where its next start also removes what a killed JVM left behind.
        Path folder = Path.of(System.getProperty(
                "ot.epg.working-dir",
                Path.of(System.getProperty("java.io.tmpdir"), "embedded-pg").toString()));
        String name = "typed-outbox-" + UUID.randomUUID();
        Path data = folder.resolve(name);
        Path log = folder.resolve(name + ".log");
        try {
            Files.createDirectories(folder);
            return new PostgresBinaries(start(data, log, settings), data, log);
        } catch (IOException e) {
            throw new UncheckedIOException("PostgreSQL did not start: " + LogTail.of(log), e);
        }
    }

    private static EmbeddedPostgres start(Path data, Path log, Map<String, String> settings) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setPort(FreePort.find())
                .setLocaleConfig("locale", "C")
                .setPGStartupWait(START_TIMEOUT)
                .setRegisterShutdownHook(false)
                .setOutputRedirector(Redirect.appendTo(log.toFile()));
        DEFAULTS.forEach(builder::setServerConfig);
        settings.forEach(builder::setServerConfig);
        return builder.start();
    }

    int port() {
        return embedded.getPort();
    }

    @Override
    public String description() {
        return "PostgreSQL from Maven";
    }

    @Override
    public boolean isControllable() {
        return true;
    }

    @Override
    public synchronized void stop() {
        pgCtl("stop", "-m", "fast");
        running = false;
    }

    @Override
    public synchronized void kill() {
        try {
            process().map(ProcessTree::new).ifPresent(ProcessTree::kill);
            // Else a start could take another process that got the same id for the old server.
            Files.deleteIfExists(pidFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        running = false;
    }

    @Override
    public synchronized Optional<ProcessHandle> process() {
        if (!running) {
            return Optional.empty();
        }
        try {
            return ProcessHandle.of(
                    Long.parseLong(Files.readAllLines(pidFile()).get(0).trim()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path pidFile() {
        return data.resolve("postmaster.pid");
    }

    @Override
    public synchronized void resume() {
        if (!running) {
            // Unlike "start", "restart" takes the options of the first start again.
            pgCtl("restart");
            running = true;
        }
    }

    @Override
    public synchronized void close() {
        try {
            // Zonky's close expects a running server, and it alone can release the lock on the folder.
            resume();
            embedded.close();
            Files.deleteIfExists(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pgCtl(String... arguments) {
        try {
            Process process = new ProcessBuilder(pgCtlCommand(arguments))
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            if (!process.waitFor(2, MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("pg_ctl " + arguments[0] + " failed: " + LogTail.of(log));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during pg_ctl " + arguments[0], e);
        }
    }

    private List<String> pgCtlCommand(String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (LinuxUtils.isUnshareAvailable()) {
            // PostgreSQL refuses to run as root, so root gets a user namespace of its own, as in Zonky.
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(pgCtlPath().toString(), "-D", data.toString(), "-w", "-t", "60"));
        command.addAll(List.of(arguments));
        return command;
    }

    private Path pgCtlPath() throws IOException {
        String startCommand = Files.readString(data.resolve("postmaster.opts"));
        Path postgres = Path.of(startCommand.substring(0, startCommand.indexOf(" \"")));
        return postgres.resolveSibling(postgres.getFileName().toString().replace("postgres", "pg_ctl"));
    }
}
