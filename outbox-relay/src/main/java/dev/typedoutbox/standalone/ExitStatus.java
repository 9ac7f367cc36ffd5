package dev.typedoutbox.standalone;

/** How a command ends, for scripts. docs/relay.md lists the numbers. */
final class ExitStatus {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;
    static final int SCHEMA = 3;
    static final int NOTHING_FOUND = 4;

    private ExitStatus() {}
}
