package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.servers.Database;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A relay in a process of its own, which can stand still at a step, be killed and be frozen. */
final class RelayProcess implements AutoCloseable {
    static final int BATCH_SIZE = 50;

    private static final Duration START = Duration.ofSeconds(30);
    private static final List<String> QUICK_START =
            List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");

    private final Process process;
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    RelayProcess(Database database, String amqpUri, String exchange, Duration confirmTimeout, Step holdAt) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(QUICK_START);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RelayMain.class.getName()));
        command.addAll(List.of(database.jdbcUrl(), database.user(), database.password(), amqpUri, exchange));
        command.addAll(List.of(Integer.toString(BATCH_SIZE), Long.toString(confirmTimeout.toMillis()), holdAt.name()));
        process = start(new ProcessBuilder(command).redirectErrorStream(true));
        Thread reader = new Thread(this::read, "relay-process");
        reader.setDaemon(true);
        reader.start();
    }

    void awaitConnected() {
        awaitSaid(Hold.CONNECTED);
    }

    void awaitStep(Step step) {
        awaitSaid(step.name());
    }

    /** Lets it go on from where it stands still, and nowhere stand still again. */
    void release() {
        try {
            process.getOutputStream().write(1);
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it with SIGKILL. */
    void kill() {
        process.destroyForcibly();
        await().until(() -> !process.isAlive());
    }

    void freeze() {
        signal("-STOP");
    }

    void thaw() {
        signal("-CONT");
    }

    @Override
    public void close() {
        kill();
    }

    private void awaitSaid(String word) {
        await().alias(word).atMost(START).until(() -> said.contains(word) || !process.isAlive());
        assertThat(said).contains(word);
    }

    private void signal(String signal) {
        Process kill = start(new ProcessBuilder("kill", signal, Long.toString(process.pid())).inheritIO());
        assertThat(kill.onExit().join().exitValue()).isZero();
    }

    /** Hands on what is not for the parent: the log. */
    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(Hold.MARK)) {
                    said.add(line.substring(Hold.MARK.length()));
                } else {
                    System.out.println(line);
                }
            }
        } catch (IOException e) {
            said.add("unreadable: " + e.getMessage());
        }
    }

    private static Process start(ProcessBuilder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
