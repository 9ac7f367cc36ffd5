package dev.typedoutbox.benchmark.harness;

import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line. */
@Command(
        name = "benchmark",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = "Measures Typed Outbox beside the broker's ceiling, the row-by-row relay and other outboxes, and"
                + " checks that nothing was lost, repeated or disordered meanwhile.",
        footer = "Exit status: 0 when everything was measured, 1 when a contender failed, 2 for a" + " wrong option.")
final class Options {
    @Option(
            names = "--quick",
            description = "Measure only what the relay's bars need, with few events, and print them.")
    boolean quick;

    @Option(
            names = "--scenario",
            paramLabel = "NAME",
            split = ",",
            description = "Only these: ${COMPLETION-CANDIDATES}.",
            completionCandidates = Scenarios.Names.class)
    @Nullable
    List<String> scenarios;

    @Option(
            names = "--contenders",
            paramLabel = "NAME",
            split = ",",
            description = "Only these; contenders.txt lists them.")
    @Nullable
    List<String> contenders;

    @Option(names = "--rounds", paramLabel = "NUMBER", description = "How often each contender takes its turn.")
    @Nullable
    Integer rounds;

    @Option(names = "--events", paramLabel = "NUMBER", description = "The size of the backlogs.")
    @Nullable
    Integer events;

    @Option(names = "--payload", paramLabel = "BYTES", description = "The size of a payload.")
    @Nullable
    Integer payload;

    @Option(names = "--aggregates", paramLabel = "NUMBER", description = "How many aggregates the events belong to.")
    @Nullable
    Integer aggregates;

    @Option(names = "--queue", paramLabel = "KIND", description = "${COMPLETION-CANDIDATES}.")
    @Nullable
    QueueKind queue;

    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "Use this PostgreSQL, as a superuser, instead of starting one. Its settings are its owner's.")
    @Nullable
    String jdbcUrl;

    @Option(names = "--jdbc-user", paramLabel = "NAME", description = "Log in to it as this user.")
    @Nullable
    String jdbcUser;

    @Option(
            names = "--jdbc-password",
            paramLabel = "TEXT",
            defaultValue = "${env:BENCHMARK_JDBC_PASSWORD}",
            description = "With this password; better given in the environment as BENCHMARK_JDBC_PASSWORD.")
    @Nullable
    String jdbcPassword;

    @Option(
            names = "--amqp-uri",
            paramLabel = "URI",
            description = "Use this RabbitMQ, such as amqp://user:password@host:5672/%%2F, instead of starting one.")
    @Nullable
    URI amqpUri;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this.")
    boolean help;
}
