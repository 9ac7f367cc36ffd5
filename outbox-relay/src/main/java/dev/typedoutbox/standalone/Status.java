package dev.typedoutbox.standalone;

import dev.typedoutbox.status.OutboxStatus;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;

/** Shows how the outbox is doing. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Shows what is pending and dead, which relays listen, and how busy they are. Counts are bounded, so"
                        + " that it is quick however much there is: 10,000+ is 10,000 or more.")
final class Status implements Action {
    private static final int MOST_TYPES = 10;
    private static final String CLEAR = "\033[H\033[2J";
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofDays(1);

    @Option(names = "--json", description = "As one JSON object; docs/relay.md lists the keys.")
    boolean json;

    @Option(
            names = "--watch",
            paramLabel = "DURATION",
            arity = "0..1",
            fallbackValue = "2s",
            description = "Again and again, until Ctrl-C; each 2s if no time is given.")
    @Nullable
    String watch;

    @Override
    public int run(Settings settings, Terminal terminal) throws InterruptedException {
        Optional<Duration> interval =
                Optional.ofNullable(watch).map(text -> Arguments.duration("--watch", text, SHORTEST, LONGEST));
        DatabaseAccess database = DatabaseAccess.of(settings);
        String place = database + ", schema " + settings.text(Setting.SCHEMA);
        OutboxStatus status = OutboxStatus.of(database.forCommand(), settings.text(Setting.SCHEMA));
        if (interval.isEmpty()) {
            show(terminal.out(), read(status, place));
            return ExitStatus.OK;
        }
        // Ctrl-C ends it, or that nobody reads it any more, as when a pipe has seen enough; that is no failure.
        while (!terminal.out().checkError()) {
            showOrTell(terminal, status, place);
            Thread.sleep(interval.get().toMillis());
        }
        return ExitStatus.OK;
    }

    private static StatusReading read(OutboxStatus status, String place) {
        return new StatusReading(place, status.read(), status.pendingByType(MOST_TYPES));
    }

    /** A database that is away for a while does not end the watch. */
    private void showOrTell(Terminal terminal, OutboxStatus status, String place) {
        try {
            StatusReading reading = read(status, place);
            if (!json && Ansi.AUTO.enabled()) {
                terminal.out().print(CLEAR);
            }
            show(terminal.out(), reading);
        } catch (RuntimeException e) {
            terminal.err().println("error: " + Explanation.of(e).text());
            terminal.err().flush();
        }
    }

    private void show(PrintWriter out, StatusReading reading) {
        out.print(json ? reading.json() : reading.text());
        out.flush();
    }
}
