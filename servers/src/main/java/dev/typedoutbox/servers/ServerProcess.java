package dev.typedoutbox.servers;

import java.util.Optional;

/** What can be done to a running server; by default nothing. */
interface ServerProcess extends AutoCloseable {

    /** How error messages name this server, as the start of a sentence. */
    String description();

    default boolean isControllable() {
        return false;
    }

    /** The process itself, where it runs on this machine and was started from here. */
    default Optional<ProcessHandle> process() {
        return Optional.empty();
    }

    default void stop() {
        throw unsupported("stopped");
    }

    default void kill() {
        throw unsupported("killed");
    }

    default void freeze() {
        throw unsupported("frozen");
    }

    default void thaw() {
        throw unsupported("thawed");
    }

    default void resume() {
        throw unsupported("resumed");
    }

    /**
     * Runs a command of the server's own tools and waits for it.
     *
     * @param command the tool's name and its arguments
     * @throws IllegalStateException if the command fails
     */
    default void administer(String... command) {
        throw unsupported("administered");
    }

    /** The server's port for TLS. */
    default TlsListener tls() {
        throw unsupported("reached over TLS");
    }

    /**
     * To be called while waiting for the server.
     *
     * @throws IllegalStateException if it has ended by itself
     */
    default void requireAlive() {}

    @Override
    void close();

    private UnsupportedOperationException unsupported(String action) {
        return new UnsupportedOperationException(description() + " cannot be " + action + " from here");
    }
}
