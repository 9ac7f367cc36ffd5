package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.contender.Backlog;
import dev.typedoutbox.benchmark.contender.Load;
import dev.typedoutbox.benchmark.contender.Settings;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** The harness's side of the conversation with a contender, which {@code ContenderMain} describes. */
final class ContenderProcess implements AutoCloseable {
    private static final Duration LONGEST_ANSWER = Duration.ofMinutes(30);
    private static final Duration LONGEST_EXIT = Duration.ofSeconds(20);
    private static final String END = "error the process ended";

    private final ContenderEntry entry;
    private final Path log;
    private final Process process;
    private final BufferedWriter commands;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private ContenderProcess(ContenderEntry entry, Path log, Process process) {
        this.entry = entry;
        this.log = log;
        this.process = process;
        this.commands = process.outputWriter(StandardCharsets.UTF_8);
    }

    static ContenderProcess start(ContenderEntry entry, Path folder, Settings settings, List<String> jvmOptions)
            throws IOException, ContenderFailure, InterruptedException {
        Path log = Files.createDirectories(folder.resolve("target/logs")).resolve(entry.name() + ".log");
        ProcessBuilder builder =
                new ProcessBuilder(command(entry, folder, jvmOptions)).redirectError(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(settings.toEnvironment());
        ContenderProcess contender = new ContenderProcess(entry, log, builder.start());
        Runtime.getRuntime().addShutdownHook(new Thread(contender.process::destroyForcibly));
        Thread reader = new Thread(contender::read, "answers of " + entry.name());
        reader.setDaemon(true);
        reader.start();
        contender.answer("its start");
        return contender;
    }

    private static List<String> command(ContenderEntry entry, Path folder, List<String> jvmOptions)
            throws IOException, ContenderFailure {
        Path target = folder.resolve(entry.module()).resolve("target");
        Path classPath = target.resolve("classpath.txt");
        if (!Files.exists(classPath)) {
            throw new ContenderFailure("not built: there is no " + entry.module() + "/target/classpath.txt");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-classpath",
                target.resolve("classes")
                        + File.pathSeparator
                        + Files.readString(classPath).trim(),
                entry.mainClass()));
        return command;
    }

    ContenderEntry entry() {
        return entry;
    }

    void prepare() throws ContenderFailure, InterruptedException {
        command("prepare");
    }

    void fill(Backlog backlog) throws ContenderFailure, InterruptedException {
        command("fill " + backlog.events() + " " + backlog.payloadBytes() + " " + backlog.aggregates());
    }

    /** Starts its relay or consumer. */
    void startWork() throws ContenderFailure, InterruptedException {
        command("start");
    }

    void stopWork() throws ContenderFailure, InterruptedException {
        command("stop");
    }

    /** When the commit of each event returned, by the event's number, on the clock of {@link System#nanoTime()}. */
    long[] emit(Load load) throws ContenderFailure, InterruptedException {
        List<String> lines = command("emit " + load.toWords());
        long[] committed = new long[(int) load.events().events()];
        for (String line : lines.subList(0, lines.size() - 1)) {
            String[] words = line.split(" ", -1);
            committed[Integer.parseInt(words[1])] = Long.parseLong(words[2]);
        }
        return committed;
    }

    Map<String, String> stats() throws ContenderFailure, InterruptedException {
        List<String> lines = command("stats");
        Map<String, String> stats = new HashMap<>();
        for (String word : lines.get(lines.size() - 1).split(" ", -1)) {
            String[] pair = word.split("=", 2);
            if (pair.length == 2) {
                stats.put(pair[0], pair[1]);
            }
        }
        return stats;
    }

    /** How many messages a consumer is done with since its start. */
    long consumed() throws ContenderFailure, InterruptedException {
        return Long.parseLong(stats().getOrDefault("consumed", "0"));
    }

    ProcessHandle process() {
        return process.toHandle();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end, and ends it. */
    @Override
    public void close() throws InterruptedException {
        try {
            send("exit");
            process.waitFor(LONGEST_EXIT.toSeconds(), TimeUnit.SECONDS);
        } catch (UncheckedIOException e) {
            // It has ended by itself.
        }
        process.destroyForcibly().waitFor();
    }

    /** The result lines, with the last line of the answer at the end. */
    private List<String> command(String command) throws ContenderFailure, InterruptedException {
        try {
            send(command);
        } catch (UncheckedIOException e) {
            throw new ContenderFailure(END + "; its log is " + log);
        }
        return answer(command);
    }

    private void send(String command) {
        try {
            commands.write(command);
            commands.newLine();
            commands.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> answer(String command) throws ContenderFailure, InterruptedException {
        List<String> lines = new ArrayList<>();
        while (true) {
            String line = answers.poll(LONGEST_ANSWER.toSeconds(), TimeUnit.SECONDS);
            if (line == null || line.startsWith("error")) {
                throw new ContenderFailure(
                        command + ": " + (line == null ? "no answer" : line) + "; its log is " + log);
            }
            lines.add(line);
            if (line.startsWith("ok")) {
                return lines;
            }
        }
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            reader.lines().forEach(answers::add);
        } catch (IOException | UncheckedIOException e) {
            answers.add("error " + e.getMessage());
        }
        answers.add(END);
    }
}
