package dev.typedoutbox.rabbit.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A JVM of its own, which can be killed and frozen. What it runs must end when its standard input does, so that it does not
 * outlive these tests.
 */
final class ChildJvm implements AutoCloseable {
    /** How the lines begin that a child says something by. */
    static final String MARK = "child process: ";

    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration FAREWELL = Duration.ofSeconds(15);
    private static final List<String> QUICK_START =
            List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");
    /** Logback would tell at length that it finds its settings in two modules. */
    private static final String QUIET_START =
            "-Dlogback.statusListenerClass=ch.qos.logback.core.status.NopStatusListener";

    private final Process process;
    private final Set<String> said = ConcurrentHashMap.newKeySet();

    ChildJvm(Class<?> main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(QUICK_START);
        command.add(QUIET_START);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        process = start(new ProcessBuilder(command).redirectErrorStream(true));
        Thread reader = new Thread(this::read, "child-jvm");
        reader.setDaemon(true);
        reader.start();
    }

    void awaitSaid(String word) {
        await().alias(word).atMost(START).until(() -> said.contains(word) || !process.isAlive());
        assertThat(said).contains(word);
    }

    /** Tells it to go on, by one byte. */
    void poke() {
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

    /** Waits until it has ended by itself. */
    int awaitExit(Duration bound) {
        await().alias("the end of the process").atMost(bound).until(() -> !process.isAlive());
        return process.exitValue();
    }

    /** Lets it end in good order. */
    void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        assertThat(awaitExit(FAREWELL)).isZero();
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

    private void signal(String signal) {
        Process kill = start(new ProcessBuilder("kill", signal, Long.toString(process.pid())).inheritIO());
        assertThat(kill.onExit().join().exitValue()).isZero();
    }

    /** Hands on what is not for the parent: the log. */
    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(MARK)) {
                    said.add(line.substring(MARK.length()));
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
