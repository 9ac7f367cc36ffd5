package dev.typedoutbox.servers;

/** A server that somebody else runs, named by an environment variable. */
final class ExternalServer implements ServerProcess {

    private final String variable;

    ExternalServer(String variable) {
        this.variable = variable;
    }

    @Override
    public String description() {
        return "The server of " + variable;
    }

    @Override
    public void close() {
        // It was there before this JVM and stays.
    }
}
