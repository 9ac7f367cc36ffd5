package dev.typedoutbox.standalone;

import java.util.regex.Pattern;

/** Takes out of URLs what must not be shown. */
final class Redacted {
    // As far as they may reach: somebody may have left a special character of the password as it is.
    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=).*");
    private static final Pattern LOGIN = Pattern.compile(":.*@");

    private Redacted() {}

    /** Any text will do; what is no URL stays as it is. */
    static String url(String text) {
        String known = text.startsWith("jdbc:") ? JdbcParameters.knownPart(text) : text;
        return LOGIN.matcher(PASSWORD.matcher(known).replaceAll("$1***")).replaceAll(":***@");
    }

    static boolean hasPassword(String jdbcUrl) {
        return PASSWORD.matcher(jdbcUrl).find();
    }
}
