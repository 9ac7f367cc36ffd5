package dev.typedoutbox.standalone;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs a command in this JVM, with the environment that the test gives it and no other. */
final class CommandRun {
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> questions = new ArrayList<>();
    private Optional<String> answer = Optional.empty();

    record Result(int status, String out, String err) {}

    CommandRun() {}

    CommandRun(Map<String, String> environment) {
        this.environment.putAll(environment);
    }

    CommandRun with(String variable, String text) {
        environment.put(variable, text);
        return this;
    }

    /** What its user says to each question. */
    CommandRun answering(String text) {
        answer = Optional.of(text);
        return this;
    }

    List<String> questions() {
        return questions;
    }

    Result run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), question -> {
            questions.add(question);
            return answer;
        });
        int status = new OutboxRelay(environment, terminal).run(args);
        return new Result(status, out.toString(), err.toString());
    }

    /** For commands whose arguments are many. */
    Result run(List<String> args, String... more) {
        List<String> all = new ArrayList<>(args);
        all.addAll(Arrays.asList(more));
        return run(all.toArray(String[]::new));
    }
}
