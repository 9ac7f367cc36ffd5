package dev.typedoutbox.standalone;

import dev.typedoutbox.cleanup.ProcessedEvents;
import dev.typedoutbox.cleanup.PublishedEvents;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes old rows. */
@Command(
        name = "purge",
        mixinStandardHelpOptions = true,
        versionProvider = Commands.Version.class,
        description =
                "Deletes old rows, in small batches beside the relays' work. Events that are still to be sent, and dead"
                        + " letters, are never deleted.")
final class Purge implements Action {
    private static final String PUBLISHED = "--published-events";
    private static final String PROCESSED = "--processed-events";
    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);

    @Option(
            names = PUBLISHED,
            paramLabel = "DURATION",
            description = "Delete the rows of events that were published or discarded longer ago, such as 7d.")
    @Nullable
    String published;

    @Option(
            names = PROCESSED,
            paramLabel = "DURATION",
            description =
                    "Delete consumers' records that are older, such as 14d. A message that comes again after that is"
                            + " applied again.")
    @Nullable
    String processed;

    @Option(names = "--json", description = "Tell what was done as one JSON object.")
    boolean json;

    @Override
    public int run(Settings settings, Terminal terminal) {
        Optional<Duration> keepPublished = retention(PUBLISHED, published);
        Optional<Duration> keepProcessed = retention(PROCESSED, processed);
        if (keepPublished.isEmpty() && keepProcessed.isEmpty()) {
            throw Failure.usage(PUBLISHED + " or " + PROCESSED + " must be given (was neither)");
        }
        DataSource dataSource = DatabaseAccess.of(settings).forCommand();
        String schema = settings.text(Setting.SCHEMA);
        Map<String, Object> deleted = new LinkedHashMap<>();
        keepPublished.ifPresent(keep -> deleted.put(
                "published_events", PublishedEvents.create(dataSource, schema).purge(keep)));
        keepProcessed.ifPresent(keep -> deleted.put(
                "processed_events", ProcessedEvents.create(dataSource, schema).purge(keep)));
        terminal.out().print(json ? Json.line(deleted) : text(deleted));
        terminal.out().flush();
        return ExitStatus.OK;
    }

    private static Optional<Duration> retention(String option, @Nullable String text) {
        return Optional.ofNullable(text).map(it -> Arguments.duration(option, it, SHORTEST, LONGEST));
    }

    private static String text(Map<String, Object> deleted) {
        StringBuilder text = new StringBuilder();
        deleted.forEach((what, number) -> text.append(what.replace('_', ' '))
                .append(" deleted: ")
                .append(number)
                .append(System.lineSeparator()));
        return text.toString();
    }
}
