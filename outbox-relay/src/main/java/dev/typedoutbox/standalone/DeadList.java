package dev.typedoutbox.standalone;

import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetters;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists dead letters, a page at a time. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description = "Lists dead letters, the oldest first.")
final class DeadList implements Action {
    private static final int MOST = 10_000;

    @Mixin
    final DeadFilter filter = new DeadFilter();

    @Option(names = "--limit", paramLabel = "NUMBER", description = "At most so many. Default: 20.")
    String limit = "20";

    @Option(
            names = "--after",
            paramLabel = "SEQ",
            description = "Those after this number: the last one of the page before.")
    String after = "0";

    @Option(names = "--json", description = "As one JSON object; docs/relay.md lists the keys.")
    boolean json;

    @Override
    public int run(Settings settings, Terminal terminal) {
        int most = Math.toIntExact(Arguments.whole("--limit", limit, 1, MOST));
        long afterSeq = Arguments.whole("--after", after, 0, Long.MAX_VALUE);
        DeadLetters deadLetters = DeadChange.deadLetters(settings);
        // One more than is shown, to see whether there is more.
        List<DeadLetter> found = deadLetters.list(filter.read(), afterSeq, most + 1);
        List<DeadLetter> page = found.subList(0, Math.min(most, found.size()));
        @Nullable Long next = found.size() > most ? page.get(most - 1).seq() : null;
        terminal.out().print(json ? json(page, next) : DeadLetterText.table(page));
        terminal.out().flush();
        if (next != null && !json) {
            terminal.err().println("there are more: --after " + next);
        }
        return ExitStatus.OK;
    }

    private static String json(List<DeadLetter> page, @Nullable Long next) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("dead_letters", page.stream().map(DeadLetterText::fields).toList());
        fields.put("next_after", next);
        return Json.line(fields);
    }
}
