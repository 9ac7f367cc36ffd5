package dev.typedoutbox.benchmark.harness;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All scenarios, in the order in which they are run. */
final class Scenarios {
    private static final List<Scenario> ALL = List.of(
            new DrainScenario(),
            new SteadyScenario(),
            new IdleScenario(),
            new WritersScenario(),
            new SnapshotScenario(),
            new CrowdScenario(),
            new CostScenario(),
            new HeapScenario(),
            new RelaysScenario(),
            new ConsumeScenario(),
            new PurgeScenario());

    /** The relay's bars do not need them. */
    private static final List<String> LONG =
            List.of(SteadyScenario.NAME, RelaysScenario.NAME, ConsumeScenario.NAME, PurgeScenario.NAME);

    private Scenarios() {}

    /** The named ones; else all, or those that the relay's bars need. */
    static List<Scenario> chosen(@Nullable List<String> names, boolean quick) {
        if (names == null) {
            return quick
                    ? ALL.stream()
                            .filter(scenario -> !LONG.contains(scenario.name()))
                            .toList()
                    : ALL;
        }
        List<Scenario> chosen = new ArrayList<>();
        for (String name : names) {
            chosen.add(ALL.stream()
                    .filter(scenario -> scenario.name().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "--scenario must be of " + allNames() + " (was " + name + ")")));
        }
        return chosen;
    }

    private static List<String> allNames() {
        return ALL.stream().map(Scenario::name).toList();
    }

    /** For the help. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return allNames().iterator();
        }
    }
}
