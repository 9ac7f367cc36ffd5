package dev.typedoutbox.benchmark.harness;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What processes and their children use of the processors, as the operating system counts it. */
final class ProcessorTime {
    private final Collection<ProcessHandle> roots;
    private final Map<Long, Duration> before;

    private ProcessorTime(Collection<ProcessHandle> roots) {
        this.roots = roots;
        this.before = now(roots);
    }

    static ProcessorTime of(Collection<ProcessHandle> roots) {
        return new ProcessorTime(roots);
    }

    /** Since this was made; what has ended meanwhile can no longer be asked. */
    Duration used() {
        return now(roots).entrySet().stream()
                .map(entry -> entry.getValue().minus(before.getOrDefault(entry.getKey(), Duration.ZERO)))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private static Map<Long, Duration> now(Collection<ProcessHandle> roots) {
        return roots.stream()
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .distinct()
                .collect(Collectors.toMap(
                        ProcessHandle::pid,
                        process -> process.info().totalCpuDuration().orElse(Duration.ZERO)));
    }
}
