package dev.typedoutbox.benchmark.harness;

import dev.typedoutbox.benchmark.harness.Report.Failure;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** The benchmark's command. */
public final class Benchmark {
    private static final int FAILED = 1;
    private static final int BAD_OPTION = 2;

    private final Options options;
    private final Path folder;
    private final Screen screen = new Screen(System.err, System.out);

    private Benchmark(Options options, Path folder) {
        this.options = options;
        this.folder = folder;
    }

    /**
     * Runs the benchmark and ends the JVM.
     *
     * @param args the options; {@code --help} lists them
     */
    public static void main(String... args) {
        StopSignal.watch();
        Options options = new Options();
        CommandLine command = new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true);
        try {
            command.parseArgs(args);
            if (options.help) {
                command.usage(System.out);
                System.exit(0);
            }
            Path folder = Path.of(System.getProperty("benchmark.folder", "benchmark"));
            System.exit(new Benchmark(options, folder.normalize()).run() ? 0 : FAILED);
        } catch (ParameterException | IllegalArgumentException e) {
            System.err.println("error: " + e.getMessage() + "; --help lists the options");
            System.exit(BAD_OPTION);
        } catch (Exception e) {
            if (!StopSignal.isReceived()) {
                e.printStackTrace();
                System.exit(FAILED);
            }
        }
    }

    private boolean run() throws Exception {
        List<Scenario> scenarios = Scenarios.chosen(options.scenarios, options.quick);
        try (Lab lab = new Lab(options, folder, screen)) {
            for (Scenario scenario : scenarios) {
                run(scenario, lab);
                if (!options.quick) {
                    screen.print(Table.of(scenario.name(), lab.report().measures(scenario.name())));
                }
                // After each, so that what was measured is not lost with what comes later.
                ReportFile.write(lab.report(), lab.bars(), folder.resolve("target/report.json"));
                Plots.write(lab.report(), scenario.name(), folder.resolve("target/plots"));
            }
            lab.bars().forEach(bar -> screen.print(bar.line()));
            ReportFile.failures(lab.report()).forEach(failure -> screen.print("failed: " + failure));
            return lab.report().failures().isEmpty();
        }
    }

    /** What fails in one scenario says nothing of the others. */
    private void run(Scenario scenario, Lab lab) throws InterruptedException {
        try {
            scenario.run(lab);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            if (StopSignal.isReceived()) {
                throw new InterruptedException("stopped");
            }
            e.printStackTrace();
            lab.report().add(new Failure(scenario.name(), "the harness", e.toString()));
        }
    }
}
