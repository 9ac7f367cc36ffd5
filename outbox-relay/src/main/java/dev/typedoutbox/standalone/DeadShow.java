package dev.typedoutbox.standalone;

import dev.typedoutbox.OutboxEvent;
import dev.typedoutbox.deadletter.DeadLetter;
import dev.typedoutbox.deadletter.DeadLetters;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one dead letter. */
@Command(
        name = "show",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description = "Shows one dead letter.")
final class DeadShow implements Action {
    @Parameters(paramLabel = "ID", description = "The event's id.")
    String id = "";

    @Option(names = "--payload", description = "With its headers and its payload.")
    boolean payload;

    @Option(names = "--json", description = "As one JSON object; docs/relay.md lists the keys.")
    boolean json;

    @Override
    public int run(Settings settings, Terminal terminal) {
        UUID event = Arguments.id(id);
        DeadLetters deadLetters = DeadChange.deadLetters(settings);
        DeadLetter letter = deadLetters.find(event).orElseThrow(() -> notFound(event));
        Map<String, @Nullable Object> fields =
                payload ? DeadLetterText.fields(letter, content(deadLetters, event)) : DeadLetterText.fields(letter);
        terminal.out().print(json ? Json.line(fields) : DeadLetterText.lines(fields));
        terminal.out().flush();
        return ExitStatus.OK;
    }

    private static OutboxEvent content(DeadLetters deadLetters, UUID event) {
        return deadLetters.event(event).orElseThrow(() -> notFound(event));
    }

    private static Failure notFound(UUID event) {
        return Failure.nothingFound("there is no dead letter " + event);
    }
}
