package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of docs/recipes, each beside the module with the code that it shows. */
class RecipesTest {
    private static final Path RECIPES = Path.of("../docs/recipes");
    private static final Path CONTENTS = RECIPES.resolve("README.md");
    private static final Pattern BLOCK = Pattern.compile("^```\\w*\\R(.*?)^```$", Pattern.DOTALL | Pattern.MULTILINE);

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(RECIPES)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !file.equals(CONTENTS))
                    .toList();
        }
    }

    static List<String> modules() throws IOException {
        try (Stream<Path> poms = Files.walk(RECIPES, 2)) {
            return poms.filter(file -> file.endsWith("pom.xml"))
                    .map(pom -> Objects.requireNonNull(pom.getParent()))
                    .filter(module -> !module.equals(RECIPES))
                    .map(module -> String.valueOf(module.getFileName()))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyBlockOfCodeIsAPartOfAFileOfTheModule(Path page) throws IOException {
        List<String> files =
                filesOf(RECIPES.resolve(String.valueOf(page.getFileName()).replaceFirst("\\.md$", "")));

        assertThat(blocksOf(page))
                .allSatisfy(block ->
                        assertThat(files).as("files that hold\n%s", block).anyMatch(file -> holds(file, block)));
    }

    @ParameterizedTest
    @MethodSource("modules")
    void everyModuleHasAPageWithCodeAndIsListed(String module) throws IOException {
        Path page = RECIPES.resolve(module + ".md");

        assertThat(blocksOf(page)).isNotEmpty();
        assertThat(Files.readString(CONTENTS)).contains("(" + page.getFileName() + ")");
        assertThat(Files.readString(RECIPES.resolve("pom.xml"))).contains("<module>" + module + "</module>");
    }

    @Test
    void listOfRecipesHasNoCodeOfItsOwn() throws IOException {
        assertThat(blocksOf(CONTENTS)).isEmpty();
    }

    private static List<String> blocksOf(Path page) throws IOException {
        return BLOCK.matcher(Files.readString(page))
                .results()
                .map(RecipesTest::code)
                .toList();
    }

    private static String code(MatchResult block) {
        return block.group(1);
    }

    private static List<String> filesOf(Path module) throws IOException {
        try (Stream<Path> sources = Files.walk(module.resolve("src"))) {
            return Stream.concat(sources.filter(Files::isRegularFile), Stream.of(module.resolve("pom.xml")))
                    .map(RecipesTest::read)
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return "\n" + Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whatever the margin that the code has in the file. */
    private static boolean holds(String file, String block) {
        return IntStream.rangeClosed(0, 16)
                .anyMatch(margin -> file.replaceAll("\n {" + margin + "}", "\n").contains("\n" + block));
    }
}
