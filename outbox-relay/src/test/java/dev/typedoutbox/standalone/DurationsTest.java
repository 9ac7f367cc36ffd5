package dev.typedoutbox.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "250ms, PT0.25S",
        "30s, PT30S",
        "5m, PT5M",
        "12h, PT12H",
        "7d, P7D",
        "1h30m, PT1H30M",
        "PT2S, PT2S",
        "P1D, P1D"
    })
    void readsWhatPeopleAndProgramsWrite(String text, Duration duration) {
        assertThat(Durations.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "7", "7 d", "d", "-1s", "1w", "1.5s", "99999999999999999999d", "999999999999999d", "soon"})
    void refusesWhatIsNoDuration(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Durations.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"250ms", "30s", "1m30s", "7d", "1d2h3m4s5ms", "0s"})
    void writesWhatItReads(String text) {
        assertThat(Durations.format(Durations.parse(text))).isEqualTo(text);
    }

    @Test
    void roundsAnAgeToWhatMatters() {
        assertThat(Durations.rounded(Duration.ofMillis(900))).isEqualTo("0s");
        assertThat(Durations.rounded(Duration.ofSeconds(3725))).isEqualTo("1h2m");
        assertThat(Durations.rounded(Duration.ofHours(50).plusMinutes(5))).isEqualTo("2d2h");
    }
}
