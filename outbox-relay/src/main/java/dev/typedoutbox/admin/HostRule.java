package dev.typedoutbox.admin;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Knows the names under which a page without a token may be asked for. A web site can have its own name resolved to this
 * machine and then read what it likes; its name in the request's Host gives it away.
 */
final class HostRule {
    private static final Pattern HOST = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:\\[\\]]+)(?::[0-9]{1,5})?");

    private final Set<String> names;

    HostRule(AdminSettings settings) {
        this.names = Stream.of("localhost", "127.0.0.1", "[::1]", settings.host(), "[" + settings.host() + "]")
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    boolean allows(String hostHeader) {
        Matcher host = HOST.matcher(hostHeader);
        return host.matches() && names.contains(host.group(1).toLowerCase(Locale.ROOT));
    }
}
