package dev.typedoutbox.standalone;

/**
 * What was given for a setting.
 *
 * @param text as it was written
 * @param source from where; the first of them wins
 * @param name what its user calls it: the option, the variable, or the key and the file
 */
record Given(String text, Source source, String name) {
    /** Where a setting may come from, in order of precedence. */
    enum Source {
        OPTION,
        ENVIRONMENT,
        FILE,
        DEFAULT
    }

    boolean isBefore(Given other) {
        return source.compareTo(other.source) < 0;
    }
}
