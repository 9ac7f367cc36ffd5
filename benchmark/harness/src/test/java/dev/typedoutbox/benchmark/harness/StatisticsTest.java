package dev.typedoutbox.benchmark.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    private static final List<Double> ONE_TO_HUNDRED =
            IntStream.rangeClosed(1, 100).mapToObj(n -> (double) (101 - n)).toList();

    @Test
    void medianIsTheMiddleOrBetweenTheTwoInTheMiddle() {
        assertThat(Statistics.median(List.of(9.0, 1.0, 4.0))).isEqualTo(4);
        assertThat(Statistics.median(List.of(9.0, 1.0, 4.0, 5.0))).isEqualTo(4.5);
    }

    @Test
    void percentileIsAValueThatWasMeasured() {
        assertThat(Statistics.percentile(ONE_TO_HUNDRED, 0.5)).isEqualTo(50);
        assertThat(Statistics.percentile(ONE_TO_HUNDRED, 0.99)).isEqualTo(99);
        assertThat(Statistics.percentile(ONE_TO_HUNDRED, 1)).isEqualTo(100);
        assertThat(Statistics.percentile(List.of(7.0), 0.99)).isEqualTo(7);
    }

    @Test
    void nothingHasNoMedian() {
        assertThatIllegalArgumentException().isThrownBy(() -> Statistics.median(List.of()));
    }

    @Test
    void ratioIsTakenRoundByRound() {
        Measure slow = measure(100.0, 50.0, 10.0);
        Measure fast = measure(200.0, 100.0, 20.0);

        assertThat(fast.ratioTo(slow)).isEqualTo(2);
    }

    @Test
    void ratioOfDifferentRoundsIsThatOfTheMedians() {
        assertThat(measure(30.0, 10.0, 20.0).ratioTo(measure(10.0))).isEqualTo(2);
    }

    private static Measure measure(Double... values) {
        return new Measure("drain", "", "", Figure.RATE, List.of(values));
    }
}
