package dev.typedoutbox.standalone;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** Runs a relay until it is told to stop. */
@Command(
        name = "relay",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Publishes events from the outbox to RabbitMQ until SIGTERM or Ctrl-C, and ends with 0 then. Waits for"
                        + " servers that are not there, for as long as it takes.")
final class RunRelay implements Action {
    private static final Logger LOG = LoggerFactory.getLogger(RunRelay.class);

    /** What closing may take beyond the time that batches have: cleanup, connections and servers, one after the other. */
    private static final Duration REST_OF_CLOSE = Duration.ofSeconds(30);

    @Override
    public Set<Group> groups() {
        return EnumSet.allOf(Group.class);
    }

    @Override
    public int run(Settings settings, Terminal terminal) {
        RelayProcess process = RelayProcess.of(settings);
        Duration longestClose = settings.duration(Setting.CLOSE_TIMEOUT).plus(REST_OF_CLOSE);
        try (StopSignal signal = StopSignal.install(longestClose);
                process) {
            runUntil(signal, process);
        }
        return ExitStatus.OK;
    }

    private static void runUntil(StopSignal signal, RelayProcess process) {
        try {
            process.start(signal);
            signal.await();
        } catch (InterruptedException e) {
            LOG.debug("told to stop while something was waited for", e);
        }
    }
}
