package dev.typedoutbox.example.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The listings in docs/api are what a reviewer sees of a change to the API. */
class PublicApiTest {
    private static final String HOW_TO_UPDATE = "outbox.api.update";
    private static final Pattern SINCE =
            Pattern.compile("\n \\* @since \\d+\\.\\d+\\.\\d+\n \\*/\n(@[^\n]*\n)*public ", Pattern.MULTILINE);

    @ParameterizedTest
    @EnumSource
    void listingShowsWhatUsersCanSee(PublicApi api) throws IOException {
        Path listing = Path.of("../docs/api", api.module() + ".txt");
        Path actual = Files.createDirectories(Path.of("target/api")).resolve(api.module() + ".txt");
        Files.writeString(actual, api.listing());
        if (Boolean.getBoolean(HOW_TO_UPDATE)) {
            Files.writeString(listing, api.listing());
        }

        assertThat(actual)
                .as("the API has changed: if it should, run this test with -D%s=true", HOW_TO_UPDATE)
                .hasSameTextualContentAs(listing);
    }

    @ParameterizedTest
    @EnumSource
    void namesNoTypeThatIsNotForUsers(PublicApi api) {
        assertThat(api.listing()).doesNotContain("dev.typedoutbox.store.", "dev.typedoutbox.db.generated.");
    }

    @ParameterizedTest
    @EnumSource
    void everyTypeTellsSinceWhenItIsThere(PublicApi api) {
        assertThat(api.types())
                .filteredOn(type -> type.getEnclosingClass() == null)
                .allSatisfy(type -> assertThat(Path.of(
                                "..",
                                api.module(),
                                "src/main/java",
                                type.getName().replace('.', '/') + ".java"))
                        .content()
                        .containsPattern(SINCE));
    }
}
