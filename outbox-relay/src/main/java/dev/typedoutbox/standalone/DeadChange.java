package dev.typedoutbox.standalone;

import dev.typedoutbox.deadletter.DeadLetterFilter;
import dev.typedoutbox.deadletter.DeadLetters;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What changes dead letters, after it has asked. */
abstract class DeadChange implements Action {
    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "The ids of events; or name them by a filter, or --all.")
    List<String> ids = new ArrayList<>();

    @Mixin
    final DeadFilter filter = new DeadFilter();

    @Option(names = "--all", description = "All dead letters.")
    boolean all;

    @Option(names = "--yes", description = "Do not ask.")
    boolean yes;

    @Option(names = "--json", description = "Tell what was done as one JSON object.")
    boolean json;

    static DeadLetters deadLetters(Settings settings) {
        return DeadLetters.of(DatabaseAccess.of(settings).forCommand(), settings.text(Setting.SCHEMA));
    }

    /** What is done, as in "Retry 3 dead letters?" */
    abstract String verb();

    /** What was done, as a key of JSON. */
    abstract String done();

    abstract boolean change(DeadLetters deadLetters, UUID id);

    abstract int changeAll(DeadLetters deadLetters, DeadLetterFilter which);

    @Override
    public int run(Settings settings, Terminal terminal) {
        requireOneChoice();
        List<UUID> events = ids.stream().map(Arguments::id).distinct().toList();
        DeadLetterFilter which = filter.read();
        DeadLetters deadLetters = deadLetters(settings);
        int number = events.isEmpty() ? deadLetters.count(which) : events.size();
        if (number == 0) {
            throw Failure.nothingFound("there are no such dead letters");
        }
        if (!isConfirmed(terminal, number)) {
            throw Failure.of("not confirmed, so nothing was changed", null);
        }
        return events.isEmpty()
                ? tell(terminal, changeAll(deadLetters, which), List.of())
                : changeEach(terminal, deadLetters, events);
    }

    private void requireOneChoice() {
        int choices = (ids.isEmpty() ? 0 : 1) + (filter.isEmpty() ? 0 : 1) + (all ? 1 : 0);
        if (choices != 1) {
            throw Failure.usage("dead letters must be named by their ids, or by a filter, or by --all (was "
                    + (choices == 0 ? "none" : "more than one") + " of these)");
        }
    }

    private boolean isConfirmed(Terminal terminal, int number) {
        if (yes) {
            return true;
        }
        Optional<String> answer = terminal.question()
                .apply(verb() + " " + number + (number == 1 ? " dead letter" : " dead letters") + "? [y/N] ");
        return answer.orElseThrow(() -> Failure.usage("--yes must be given where nobody can be asked (was not)"))
                .strip()
                .toLowerCase(Locale.ROOT)
                .startsWith("y");
    }

    private int changeEach(Terminal terminal, DeadLetters deadLetters, List<UUID> events) {
        List<UUID> missing = new ArrayList<>();
        for (UUID event : events) {
            if (!change(deadLetters, event)) {
                missing.add(event);
            }
        }
        return tell(terminal, events.size() - missing.size(), missing);
    }

    private int tell(Terminal terminal, int number, List<UUID> missing) {
        terminal.out().print(json ? Json.line(Map.of(done(), number)) : done() + " " + number + System.lineSeparator());
        terminal.out().flush();
        missing.forEach(event -> terminal.err().println("error: there is no dead letter " + event));
        terminal.err().flush();
        return missing.isEmpty() ? ExitStatus.OK : ExitStatus.NOTHING_FOUND;
    }
}
