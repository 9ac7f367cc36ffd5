package dev.typedoutbox.standalone;

import dev.typedoutbox.deadletter.DeadLetterFilter;
import dev.typedoutbox.deadletter.DeadLetters;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives dead letters up for good. */
@Command(
        name = "discard",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Gives dead letters up for good. Their rows stay, with the reason, until a purge deletes them. Where"
                        + " aggregates are held, their later events go on.")
final class DeadDiscard extends DeadChange {
    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why; it is kept in the row.")
    String reason = "";

    @Override
    public int run(Settings settings, Terminal terminal) {
        // As the library counts them, and so the admin page.
        int length = reason.codePointCount(0, reason.length());
        if (reason.isBlank() || length > DeadLetters.LONGEST_REASON) {
            throw Failure.usage("--reason must be 1 to " + DeadLetters.LONGEST_REASON + " characters, not blank (was "
                    + length + " characters)");
        }
        return super.run(settings, terminal);
    }

    @Override
    String verb() {
        return "Discard";
    }

    @Override
    String done() {
        return "discarded";
    }

    @Override
    boolean change(DeadLetters deadLetters, UUID id) {
        return deadLetters.discard(id, reason);
    }

    @Override
    int changeAll(DeadLetters deadLetters, DeadLetterFilter which) {
        return deadLetters.discardAll(which, reason);
    }
}
