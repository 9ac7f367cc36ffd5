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
        requireReason();
        return super.run(settings, terminal);
    }

    /** Before anybody is asked. The library's words begin with what the option is called, too. */
    private void requireReason() {
        try {
            DeadLetters.requireReason(reason);
        } catch (IllegalArgumentException e) {
            throw Failure.usage("--" + Reason.of(e));
        }
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
