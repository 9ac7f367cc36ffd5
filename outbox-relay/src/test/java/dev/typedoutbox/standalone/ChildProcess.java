package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A command in a JVM of its own, to be told to stop, killed and looked at from outside. */
final class ChildProcess implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx128m");
    private static final Duration END_OF_OUTPUT = Duration.ofSeconds(10);

    private final Process process;
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final List<Thread> readers;

    private ChildProcess(List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().removeIf(name -> name.startsWith("OUTBOX_"));
        builder.environment().putAll(environment);
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        readers = List.of(
                reader(process.inputReader(StandardCharsets.UTF_8), out),
                reader(process.errorReader(StandardCharsets.UTF_8), err));
    }

    static ChildProcess start(Map<String, String> environment, String... args) {
        return start(environment, List.of(), args);
    }

    static ChildProcess start(Map<String, String> environment, List<String> jvmOptions, String... args) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(QUICK_START);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", classPath(), OutboxRelay.class.getName()));
        command.addAll(List.of(args));
        return new ChildProcess(command, environment);
    }

    static ChildProcess ofJar(Path jar, Map<String, String> environment, List<String> jvmOptions, String... args) {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(args));
        return new ChildProcess(command, environment);
    }

    /** The product's alone: what tests have beside it would set its log up, and take its time to do so. */
    private static String classPath() {
        return Pattern.compile(Pattern.quote(File.pathSeparator))
                .splitAsStream(System.getProperty("java.class.path"))
                .filter(entry -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String java() {
        return ProcessHandle.current().info().command().orElseThrow();
    }

    List<String> out() {
        return out;
    }

    List<String> err() {
        return err;
    }

    /** Waits until a line of its log holds the text. */
    void awaitLog(String text) {
        await().alias(text).atMost(START).until(() -> hasLogged(text) || !process.isAlive());
        assertThat(hasLogged(text)).as("log holds \"%s\": %s", text, err).isTrue();
    }

    boolean hasLogged(String text) {
        return err.stream().anyMatch(line -> line.contains(text));
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until it has ended by itself. */
    int awaitExit(Duration bound) {
        await().alias("the end of the process").atMost(bound).until(() -> !process.isAlive());
        joinReaders();
        return process.exitValue();
    }

    /** SIGTERM. Not by the process itself, which would close its output. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** SIGKILL. */
    void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    void signal(String signal) {
        signal(process.pid(), signal);
    }

    static void signal(long pid, String signal) {
        try {
            assertThat(new ProcessBuilder("kill", signal, Long.toString(pid))
                            .inheritIO()
                            .start()
                            .onExit()
                            .join()
                            .exitValue())
                    .isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What others on the machine see of it. */
    String commandLine() throws IOException {
        return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    }

    @Override
    public void close() {
        kill();
        joinReaders();
    }

    private void joinReaders() {
        for (Thread reader : readers) {
            try {
                reader.join(END_OF_OUTPUT.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Thread reader(BufferedReader stream, List<String> lines) {
        Thread thread = new Thread(() -> stream.lines().forEach(lines::add), "child-process");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
