package dev.typedoutbox.rabbit.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Markdown page, taken apart as GitHub does. */
record Page(Path path, List<CodeBlock> blocks, Set<String> anchors, List<String> links) {
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?)[ #]*");
    private static final Pattern LINK_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final Pattern NOT_IN_ANCHORS = Pattern.compile("[^\\p{L}\\p{N} _-]");
    private static final Pattern CODE = Pattern.compile("(`+)(?!`).*?(?<!`)\\1(?!`)", Pattern.DOTALL);
    private static final List<Pattern> LINKS = List.of(
            Pattern.compile("]\\(\\s*<?([^)\\s>]+)"),
            Pattern.compile("^ {0,3}\\[[^]]+]: *<?([^\\s>]+)", Pattern.MULTILINE),
            Pattern.compile("<(https?:[^>]*)>"),
            Pattern.compile("(?:src|srcset|href)=\"([^\"]*)\""));

    static Page read(Path path) {
        List<CodeBlock> blocks = new ArrayList<>();
        List<String> prose = new ArrayList<>();
        List<String> code = null;
        String fence = "";
        int line = 0;
        for (String text : Repository.read(path).lines().toList()) {
            line++;
            String stripped = text.strip();
            if (code != null && stripped.equals("```")) {
                blocks.add(new CodeBlock(where(path), line - code.size() - 1, fence, code, lastOf(prose)));
                code = null;
            } else if (code != null) {
                code.add(text);
            } else if (stripped.startsWith("```")) {
                code = new ArrayList<>();
                fence = stripped.substring(3).strip();
            } else {
                prose.add(text);
            }
        }
        if (code != null) {
            throw new IllegalArgumentException(where(path) + " has a block of code that does not end");
        }
        return new Page(path, blocks, anchors(prose), links(prose));
    }

    /** The last line that says something. */
    private static String lastOf(List<String> prose) {
        return prose.stream().filter(text -> !text.isBlank()).reduce("", (before, text) -> text.strip());
    }

    private static Set<String> anchors(List<String> prose) {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        for (String text : prose) {
            Matcher heading = HEADING.matcher(text);
            if (heading.matches()) {
                String anchor = anchor(heading.group(1));
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    private static String anchor(String heading) {
        String text = LINK_TEXT.matcher(heading).replaceAll("$1").toLowerCase(Locale.ROOT);
        return NOT_IN_ANCHORS.matcher(text).replaceAll("").replace(' ', '-');
    }

    private static List<String> links(List<String> prose) {
        String text = CODE.matcher(String.join("\n", prose)).replaceAll("");
        return LINKS.stream()
                .flatMap(pattern -> pattern.matcher(text).results())
                .map(link -> link.group(1))
                .toList();
    }

    Stream<String> relativeLinks() {
        return links.stream().filter(link -> !isExternal(link));
    }

    Stream<String> externalLinks() {
        return links.stream().filter(Page::isExternal);
    }

    private static boolean isExternal(String link) {
        return link.matches("[a-z][a-z+.-]*:.*");
    }

    private static String where(Path path) {
        return Repository.ROOT.relativize(path).toString();
    }

    @Override
    public String toString() {
        return where(path);
    }
}
