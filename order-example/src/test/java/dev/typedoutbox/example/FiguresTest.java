package dev.typedoutbox.example;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiguresTest {
    private static final String AGREEING = "10,10,25,25,25,25,2,27,25,2,0,0,10";

    @Test
    void figuresThatAgreeAreNotBlamed() {
        assertThat(figures(AGREEING).disagreement()).isEmpty();
    }

    @Test
    void moreDuplicatesThanCopiesAndFailedDeliveriesAgree() {
        assertThat(figures("10,10,25,25,25,26,2,30,25,3,2,0,10").disagreement()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    10,9,25,25,25,25,2,27,25,2,0,0,10  | orders placed must be orders in the file, 10 (was 9)
                    10,10,25,24,25,25,2,27,25,2,0,0,10 | events written must be steps in the file, 25 (was 24)
                    10,10,25,25,24,25,2,27,25,2,0,0,10 | events published must be events written, 25 (was 24)
                    10,10,25,25,25,24,2,27,25,2,0,0,10 | messages seen must be at least events published, 25 (was 24)
                    10,10,25,25,25,25,2,27,24,2,0,0,10 | events applied must be events written, 25 (was 24)
                    10,10,25,25,25,25,2,26,25,1,0,0,10 | duplicates dropped must be at least copies made, 2 (was 1)
                    10,10,25,25,25,25,2,28,25,2,0,0,10 | deliveries must be applied + dropped + failed, 27 (was 28)
                    10,10,25,25,25,25,2,27,25,2,0,1,10 | order violations must be none, 0 (was 1)
                    10,10,25,25,25,25,2,27,25,2,0,0,9  | shipments must be orders placed, 10 (was 9)
                    """)
    void figureThatDisagreesIsNamed(String figures, String reason) {
        assertThat(figures(figures).disagreement()).contains("figures must agree: " + reason);
    }

    private static Figures figures(String text) {
        String[] parts = text.strip().split(",", -1);
        long[] f = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            f[i] = Long.parseLong(parts[i]);
        }
        return new Figures(f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9], f[10], f[11], f[12]);
    }
}
