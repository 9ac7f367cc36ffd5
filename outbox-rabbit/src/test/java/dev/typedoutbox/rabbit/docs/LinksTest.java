package dev.typedoutbox.rabbit.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every link of every page leads somewhere, links lead to every page, and tests that pages name are there. */
class LinksTest {
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)`");
    private static final Pattern HOST = Pattern.compile("([a-z0-9-]+\\.)+[a-z]{2,}");

    private final List<Page> pages = Repository.pages();
    private final Map<Path, Page> byPath = pages.stream().collect(Collectors.toMap(Page::path, Function.identity()));

    @Test
    void pagesAreFound() {
        assertThat(pages).hasSizeGreaterThan(10);
        assertThat(pages.stream().flatMap(Page::relativeLinks)).hasSizeGreaterThan(50);
        assertThat(pages.stream().flatMap(Page::externalLinks)).hasSizeGreaterThan(10);
    }

    @Test
    void everyRelativeLinkLeadsToAFileAndToAHeadingOfIt() {
        assertThat(pages.stream()
                        .flatMap(page -> page.relativeLinks()
                                .filter(link -> !leads(page, link))
                                .map(link -> page + ": " + link)))
                .isEmpty();
    }

    private boolean leads(Page page, String link) {
        int hash = link.indexOf('#');
        Path target = target(page, link);
        if (!target.startsWith(Repository.ROOT) || !Files.exists(target)) {
            return false;
        }
        Page other = byPath.get(target);
        return hash < 0 || (other != null && other.anchors().contains(link.substring(hash + 1)));
    }

    private static Path target(Page page, String link) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        return file.isEmpty() ? page.path() : page.path().resolveSibling(file).normalize();
    }

    @Test
    void everyExternalLinkIsWellFormed() {
        assertThat(pages.stream()
                        .flatMap(page -> page.externalLinks()
                                .filter(link -> !isWellFormed(link))
                                .map(link -> page + ": " + link)))
                .isEmpty();
    }

    private static boolean isWellFormed(String link) {
        try {
            URI uri = URI.create(link);
            return "https".equals(uri.getScheme())
                    && uri.getHost() != null
                    && HOST.matcher(uri.getHost()).matches()
                    && uri.getUserInfo() == null
                    && !link.matches(".*[.,;]");
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Test
    void linksLeadFromTheReadmeToEveryPage() {
        Set<Path> reached = new HashSet<>();
        Deque<Path> open = new ArrayDeque<>(List.of(Repository.ROOT.resolve("README.md")));
        while (!open.isEmpty()) {
            Path path = open.remove();
            Page page = byPath.get(Files.isDirectory(path) ? path.resolve("README.md") : path);
            if (page != null && reached.add(page.path())) {
                page.relativeLinks().map(link -> target(page, link)).forEach(open::add);
            }
        }
        assertThat(byPath.keySet().stream().filter(page -> !reached.contains(page)))
                .isEmpty();
    }

    @Test
    void theIndexOfTheDocumentationHasEveryPageBesideIt() {
        Path docs = Repository.ROOT.resolve("docs");
        Page index = Page.read(docs.resolve("README.md"));
        Set<Path> listed =
                index.relativeLinks().map(link -> target(index, link)).collect(Collectors.toSet());
        assertThat(byPath.keySet().stream()
                        .filter(page -> docs.equals(page.getParent()))
                        .filter(page -> !page.equals(index.path()) && !listed.contains(page)))
                .isEmpty();
    }

    @Test
    void everyTestThatAPageNamesIsThere() {
        Set<String> tests = Repository.sources().stream()
                .map(file -> file.getFileName().toString())
                .collect(Collectors.toSet());
        assertThat(pages.stream()
                        .flatMap(page -> TEST.matcher(Repository.read(page.path()))
                                .results()
                                .map(test -> test.group(1) + ".java")
                                .filter(test -> !tests.contains(test))
                                .map(test -> page + ": " + test)))
                .isEmpty();
    }
}
