package dev.typedoutbox.standalone;

import dev.typedoutbox.deadletter.DeadLetterFilter;
import dev.typedoutbox.deadletter.DeadLetters;
import java.util.UUID;
import picocli.CommandLine.Command;

/** Lets the relay try dead letters again. */
@Command(
        name = "retry",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Lets the relay try dead letters again, at once and from their first attempt. Those of one aggregate leave"
                        + " in order, and keep their ids.")
final class DeadRetry extends DeadChange {
    @Override
    String verb() {
        return "Retry";
    }

    @Override
    String done() {
        return "retried";
    }

    @Override
    boolean change(DeadLetters deadLetters, UUID id) {
        return deadLetters.retry(id);
    }

    @Override
    int changeAll(DeadLetters deadLetters, DeadLetterFilter which) {
        return deadLetters.retryAll(which);
    }
}
