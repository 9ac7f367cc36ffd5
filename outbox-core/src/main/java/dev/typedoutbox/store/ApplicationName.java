package dev.typedoutbox.store;

import java.util.regex.Pattern;

/** What the connection on which a relay listens is called in the database, so that relays can be found there. */
final class ApplicationName {
    static final String PREFIX = "typed-outbox-relay";

    /** PostgreSQL cuts what is longer, and spells what is not ASCII in a longer way, or not at all. */
    private static final int LONGEST = 63;

    private static final int LONGEST_RELAY = LONGEST - PREFIX.length() - 1;
    private static final Pattern NOT_PRINTABLE_ASCII = Pattern.compile("[^ -~]");

    private ApplicationName() {}

    /** Of a long name both ends stay: what tells processes apart is at either. */
    static String of(String relay) {
        String ascii = NOT_PRINTABLE_ASCII.matcher(relay).replaceAll("?");
        int tooLong = ascii.length() - LONGEST_RELAY;
        if (tooLong > 0) {
            int half = LONGEST_RELAY / 2;
            ascii = ascii.substring(0, half) + "~" + ascii.substring(half + tooLong + 1);
        }
        return PREFIX + " " + ascii;
    }

    /** The relay's name in it, as far as it got there. */
    static String relay(String applicationName) {
        return applicationName.substring(PREFIX.length()).strip();
    }
}
