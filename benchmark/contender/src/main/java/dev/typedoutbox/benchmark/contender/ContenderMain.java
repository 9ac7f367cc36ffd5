package dev.typedoutbox.benchmark.contender;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/**
 * The side of a contender in the conversation with the harness: takes commands from standard input, one a line, and answers
 * each on standard output with {@code ok} or {@code error} and some words, after lines that begin with {@code =} where the
 * command has results. Everything else that the process writes goes to standard error. The process ends when its standard
 * input does, so that it never outlives the harness.
 *
 * <pre>
 * prepare
 * fill EVENTS PAYLOAD_BYTES AGGREGATES
 * start
 * stop
 * emit EVENTS PAYLOAD_BYTES AGGREGATES PER_SECOND PER_TRANSACTION THREADS    = NUMBER NANOTIME_OF_COMMIT, for each event
 * stats                                                                      ok NAME=VALUE ...
 * exit
 * </pre>
 */
public final class ContenderMain {
    private final Contender contender;
    private final PrintStream out;

    private ContenderMain(Contender contender, PrintStream out) {
        this.contender = contender;
        this.out = out;
    }

    /** Makes a contender. */
    @FunctionalInterface
    public interface Factory {
        /**
         * Makes a contender.
         *
         * @param settings where it works, and how
         * @return the contender, not prepared and not started
         * @throws Exception if that fails
         */
        Contender create(Settings settings) throws Exception;
    }

    /**
     * What a contender's {@code main} calls; ends the JVM.
     *
     * @param factory makes the contender
     */
    public static void run(Factory factory) {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // Libraries that log to standard output must not disturb the conversation.
        System.setOut(System.err);
        BlockingQueue<String> commands = readCommands();
        try {
            Contender contender = factory.create(Settings.of(System::getenv));
            out.println("ok");
            out.flush();
            new ContenderMain(contender, out).converse(commands);
            Runtime.getRuntime().halt(0);
        } catch (Throwable e) {
            e.printStackTrace();
            out.println("error " + oneLine(e));
            out.flush();
            Runtime.getRuntime().halt(1);
        }
    }

    private static BlockingQueue<String> readCommands() {
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        Thread reader = new Thread(
                () -> {
                    try (BufferedReader in =
                            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                        in.lines().forEach(commands::add);
                    } catch (IOException e) {
                        System.err.println("commands can no longer be read: " + e);
                    }
                    Runtime.getRuntime().halt(2);
                },
                "commands");
        reader.setDaemon(true);
        reader.start();
        return commands;
    }

    private void converse(BlockingQueue<String> commands) throws Exception {
        for (String command = commands.take(); !command.equals("exit"); command = commands.take()) {
            out.println(answer(command.split(" ", -1)));
            out.flush();
        }
        contender.close();
        out.println("ok");
        out.flush();
    }

    private String answer(String[] words) {
        try {
            return ("ok " + execute(words)).trim();
        } catch (Throwable e) {
            e.printStackTrace();
            return "error " + oneLine(e);
        }
    }

    private String execute(String[] words) throws Exception {
        switch (words[0]) {
            case "prepare" -> contender.prepare();
            case "fill" ->
                contender.fill(
                        new Backlog(Long.parseLong(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3])));
            case "start" -> contender.start();
            case "stop" -> contender.stop();
            case "emit" -> emit(Load.parse(words));
            case "stats" -> {
                return stats(contender.stats());
            }
            default -> throw new IllegalArgumentException("command must be one of those known (was " + words[0] + ")");
        }
        return "";
    }

    private void emit(Load load) throws Exception {
        long[] committed = new Emitter(contender, load).run();
        for (int number = 0; number < committed.length; number++) {
            out.println("= " + number + " " + committed[number]);
        }
    }

    private static String stats(Map<String, String> stats) {
        return stats.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    private static String oneLine(Throwable e) {
        return e.toString().replaceAll("\\s+", " ");
    }
}
