package dev.typedoutbox.deploy;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The names in a PromQL expression, as far as those of this project go.
 *
 * @param expression the expression
 */
record PromQl(String expression) {
    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");
    private static final Pattern SELECTOR = Pattern.compile("\\{[^}]*}|\\[[^]]*]");
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on|without|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern NAME = Pattern.compile("\\b[a-zA-Z_:][\\w:]*\\b(?!\\s*\\()");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(?:=~|=|!=|!~)(\"[^\"]*\")");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool", "offset");

    /** The metrics that it reads. */
    Set<String> metrics() {
        String bare = TEXT.matcher(expression).replaceAll("");
        bare = SELECTOR.matcher(bare).replaceAll("");
        bare = GROUPING.matcher(bare).replaceAll("");
        return NAME.matcher(bare)
                .results()
                .map(MatchResult::group)
                .filter(name -> !WORDS.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The labels by which it groups. */
    Set<String> groupedBy() {
        return GROUPING.matcher(expression)
                .results()
                .flatMap(grouping -> Pattern.compile(",").splitAsStream(grouping.group(1)))
                .map(String::strip)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What it wants of labels, as name="value"; matchers that hold a variable are left out. */
    Set<String> wantedLabels() {
        return MATCHER.matcher(expression)
                .results()
                .filter(matcher -> !matcher.group(2).contains("$"))
                .map(matcher -> matcher.group(1) + "=" + matcher.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
