package dev.typedoutbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class UuidV7Test {
    private static final Comparator<UUID> BY_TIME =
            (a, b) -> Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());

    @Test
    void versionVariantAndTimeAreThoseOfTheStandard() {
        long before = System.currentTimeMillis();
        UUID id = UuidV7.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isBetween(before, before + 60_000);
    }

    @Test
    void idsRiseStrictlyWithinEachThreadAndAreDistinctAcrossAll() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        Callable<List<UUID>> drawing =
                () -> Stream.generate(UuidV7::next).limit(20_000).toList();
        Set<Long> stamps = new HashSet<>();
        for (Future<List<UUID>> drawn :
                threads.invokeAll(IntStream.range(0, 4).mapToObj(i -> drawing).toList())) {
            assertThat(drawn.get()).isSortedAccordingTo(BY_TIME);
            stamps.addAll(drawn.get().stream().map(UUID::getMostSignificantBits).collect(Collectors.toSet()));
        }
        threads.shutdown();
        assertThat(stamps).hasSize(80_000);
    }
}
