package dev.typedoutbox.example;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The command line. */
@Command(
        name = "order-example",
        sortOptions = false,
        usageHelpAutoWidth = true,
        description =
                "Places the orders of a file through an HTTP service that uses Typed Outbox, delivers some messages"
                        + " twice on purpose, and shows that every event arrives and is applied once.",
        footer = "Exit status: 0 when all figures agree, 1 when they do not or the run failed, 2 for a wrong option.")
final class Options {
    @Option(
            names = "--jdbc-url",
            paramLabel = "URL",
            description = "Use this PostgreSQL, such as jdbc:postgresql://host:5432/database, instead of starting one.")
    @Nullable
    String jdbcUrl;

    @Option(names = "--jdbc-user", paramLabel = "NAME", description = "Log in to it as this user.")
    @Nullable
    String jdbcUser;

    @Option(
            names = "--jdbc-password",
            paramLabel = "TEXT",
            defaultValue = "${env:EXAMPLE_JDBC_PASSWORD}",
            showDefaultValue = Help.Visibility.NEVER,
            description = "With this password; better given in the environment as EXAMPLE_JDBC_PASSWORD.")
    @Nullable
    String jdbcPassword;

    @Option(
            names = "--amqp-uri",
            paramLabel = "URI",
            description =
                    "Use this RabbitMQ, such as amqp://user:password@host:5672/%%2F, instead of starting a broker.")
    @Nullable
    String amqpUri;

    @Option(
            names = "--orders",
            paramLabel = "NUMBER",
            converter = PositiveNumber.class,
            description = "Place only so many of the file's 1,000 orders.")
    int orders = Integer.MAX_VALUE;

    @Option(names = "--serve", description = "Stay up afterwards, with the admin page and more orders, until Ctrl-C.")
    boolean serve;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            converter = Port.class,
            description = "Listen there on 127.0.0.1; any free port by default.")
    int port;

    @Option(names = "--verbose", description = "Show the library's log and the stack traces of errors.")
    boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this.")
    boolean help;

    Optional<DatabaseAccess> database() {
        if (jdbcUrl == null && jdbcUser != null) {
            throw ExampleFailure.badOption(
                    "--jdbc-user must come with --jdbc-url (was alone): name the database, or leave the user out");
        }
        return Optional.ofNullable(jdbcUrl).map(url -> DatabaseAccess.of(url, jdbcUser, jdbcPassword));
    }

    Optional<BrokerAccess> broker() {
        return Optional.ofNullable(amqpUri).map(BrokerAccess::of);
    }

    static final class Port implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 0, 65_535);
        }
    }

    static final class PositiveNumber implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String value) {
            return number(value, 1, 1_000);
        }
    }

    private static int number(String value, int least, int most) {
        if (value.matches("[0-9]{1,9}")) {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw new TypeConversionException(
                "must be a whole number from " + least + " to " + most + " (was \"" + value + "\")");
    }
}
