package dev.typedoutbox.example;

import com.zaxxer.hikari.HikariDataSource;
import dev.typedoutbox.rabbit.BrokerUnavailableException;
import dev.typedoutbox.rabbit.TopologyRefusedException;
import io.javalin.util.JavalinBindException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The example's command: one run, and an exit status that tells whether all figures agree. */
public final class OrderExample {
    private static final int STOPPED = 130;

    private final Terminal terminal;
    private final Options options = new Options();

    private OrderExample(Terminal terminal) {
        this.terminal = terminal;
    }

    /**
     * Runs the example and ends the JVM.
     *
     * @param args the options; {@code --help} lists them
     */
    public static void main(String... args) {
        System.exit(run(Terminal.ofProcess(), args));
    }

    static int run(Terminal terminal, String... args) {
        return new OrderExample(terminal).run(args);
    }

    private int run(String... args) {
        CommandLine command = new CommandLine(options);
        try {
            command.parseArgs(args);
        } catch (ParameterException e) {
            terminal.error(NetworkReason.firstLine(e) + "; --help lists the options");
            return ExampleFailure.BAD_OPTION;
        }
        if (options.help) {
            command.usage(terminal.out());
            return 0;
        }
        Logging.setUp(options.verbose);
        try (StopSignal signal = new StopSignal()) {
            return run(signal);
        }
    }

    private int run(StopSignal signal) {
        try (Servers servers = new Servers(terminal)) {
            run(servers, signal);
            return 0;
        } catch (ExampleFailure e) {
            return signal.isReceived() ? STOPPED : fail(e);
        } catch (Exception e) {
            return signal.isReceived() || e instanceof InterruptedException ? STOPPED : fail(unexplained(e));
        }
    }

    private void run(Servers servers, StopSignal signal) throws Exception {
        Optional<DatabaseAccess> namedDatabase = options.database();
        Optional<BrokerAccess> namedBroker = options.broker();
        // What is wrong with them shows before anything is started.
        namedDatabase.ifPresent(DatabaseAccess::check);
        namedBroker.ifPresent(BrokerAccess::check);
        if (namedDatabase.isEmpty() || namedBroker.isEmpty()) {
            signal.stopQuietly();
        }
        DatabaseAccess database = servers.database(namedDatabase);
        BrokerAccess broker = servers.broker(namedBroker);
        signal.interruptFromNowOn();
        try (HikariDataSource pool = database.pool()) {
            new ExampleRun(options, terminal).run(pool, broker.factory());
        } catch (TopologyRefusedException e) {
            throw ExampleFailure.of(NetworkReason.firstLine(e), e);
        } catch (BrokerUnavailableException | IOException | TimeoutException e) {
            throw broker.explained(e);
        } catch (JavalinBindException e) {
            throw ExampleFailure.of(
                    "--port must be free (was " + options.port + ", in use): choose another, or leave it out", e);
        } catch (RuntimeException e) {
            throw e instanceof ExampleFailure ? e : database.explained(e).orElseGet(() -> unexplained(e));
        }
    }

    private int fail(ExampleFailure failure) {
        terminal.error(String.valueOf(failure.getMessage()));
        if (options.verbose) {
            terminal.stackTrace(failure);
        }
        return failure.exitStatus();
    }

    private static ExampleFailure unexplained(Exception e) {
        return ExampleFailure.of("the run failed (" + NetworkReason.firstLine(e) + "): --verbose shows where", e);
    }
}
