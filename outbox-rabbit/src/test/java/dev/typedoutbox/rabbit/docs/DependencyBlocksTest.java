package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The dependencies that pages tell users to declare are the ones that the tests run with. */
class DependencyBlocksTest {
    private static final Pattern DEPENDENCY = Pattern.compile("<dependency>\\s*<groupId>([^<]+)</groupId>\\s*"
            + "<artifactId>([^<]+)</artifactId>\\s*<version>([^<]+)</version>");
    private static final Pattern PROPERTY = Pattern.compile("<([\\w-]+\\.version)>([^<]+)</");
    private static final Pattern VERSION =
            Pattern.compile("<artifactId>typed-outbox</artifactId>\\s*<version>([^<]+)<");

    private final String pom = Repository.read(Repository.ROOT.resolve("pom.xml"));
    private final Map<String, String> properties = PROPERTY.matcher(pom)
            .results()
            .collect(Collectors.toMap(property -> "${" + property.group(1) + "}", property -> property.group(2)));

    @Test
    void everyDependencyHasTheVersionThatTheBuildManages() {
        assertThat(blocks().flatMap(block -> dependencies(block.text())))
                .hasSizeGreaterThan(2)
                .isSubsetOf(dependencies(pom).toList());
    }

    @Test
    void everyOtherBlockOfXmlIsInASource() {
        assertThat(blocks().map(block -> DEPENDENCY.matcher(block.text()).replaceAll("")))
                .allMatch(rest -> rest.replaceAll("</?(dependency|dependencies)>|<scope>(runtime|test)</scope>", "")
                        .isBlank());
    }

    /** Those that no file of the repository has as a whole. */
    private static Stream<CodeBlock> blocks() {
        List<String> sources =
                Repository.sources().stream().map(Repository::read).toList();
        return Repository.pages().stream()
                .flatMap(page -> page.blocks().stream())
                .filter(block -> block.is("xml") && !block.isExcused())
                .filter(block -> sources.stream().noneMatch(block::isIn));
    }

    private Stream<List<String>> dependencies(String xml) {
        return DEPENDENCY.matcher(xml).results().map(this::coordinates);
    }

    private List<String> coordinates(MatchResult dependency) {
        return List.of(dependency.group(1), dependency.group(2), resolved(dependency.group(3)));
    }

    private String resolved(String version) {
        return version.equals("${project.version}") ? ownVersion() : properties.getOrDefault(version, version);
    }

    private String ownVersion() {
        return VERSION.matcher(pom).results().findFirst().orElseThrow().group(1);
    }
}
