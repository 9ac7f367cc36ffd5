package dev.typedoutbox.standalone;

import java.util.regex.Pattern;

/** Takes out of URLs what must not be shown. */
final class Redacted {
    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&;\\s]*");

    /** As far as the last of them: somebody may have left a special character of the password as it is. */
    private static final Pattern LOGIN = Pattern.compile(":\\S*@");

    private Redacted() {}

    /** Any text will do; what is no URL stays as it is. */
    static String url(String text) {
        return LOGIN.matcher(PASSWORD.matcher(text).replaceAll("$1***")).replaceAll(":***@");
    }

    static boolean hasPassword(String jdbcUrl) {
        return PASSWORD.matcher(jdbcUrl).find();
    }
}
