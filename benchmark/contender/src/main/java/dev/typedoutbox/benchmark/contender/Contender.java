package dev.typedoutbox.benchmark.contender;

import java.util.List;
import java.util.Map;

/**
 * A system that is measured: an outbox with its relay, or what it is compared with. A {@link ConsumingContender} is at the
 * other end of the queue.
 *
 * <p>Made by {@link ContenderMain#run} with the {@link Settings} of the run, and used by one thread, {@link #write} aside.
 * Its events must reach the exchange {@link Settings#exchange()}, a durable fanout exchange that exists, as persistent
 * messages whose body contains the text of {@link Event#payload()}, plain or as an escaped JSON string.
 */
public interface Contender extends AutoCloseable {
    /**
     * Creates its tables in the database of {@link Settings#jdbcUrl()}, which is empty. Called once for a database: another
     * process may then write to these tables, or be one more relay of them.
     *
     * @throws Exception if that fails
     */
    void prepare() throws Exception;

    /**
     * Empties its tables, and writes a backlog by the fastest honest way: the rows must be those that its own API would
     * have left behind, committed, and not yet published. Called only while stopped.
     *
     * @param backlog what to write
     * @throws Exception if that fails
     */
    void fill(Backlog backlog) throws Exception;

    /**
     * Starts the relay. Returns at once, or when its threads are started; what it publishes is measured from the call on.
     *
     * @throws Exception if that fails
     */
    void start() throws Exception;

    /**
     * Stops the relay and returns when it has stopped; it can be started again. The JVM stays warm in between, and must
     * do nothing on its own.
     *
     * @throws Exception if that fails
     */
    void stop() throws Exception;

    /**
     * Writes events in one transaction as an application does, and returns when it has committed. Called by several
     * threads at once, with the relay started or not.
     *
     * @param events what to write, in this order
     * @throws Exception if that fails
     */
    void write(List<Event> events) throws Exception;

    /**
     * What the contender knows of its own work, such as {@code statements}; no blanks in names or values.
     *
     * @return the figures by their names
     */
    default Map<String, String> stats() {
        return Map.of();
    }

    /**
     * Ends everything. Called once, while stopped.
     *
     * @throws Exception if that fails
     */
    @Override
    void close() throws Exception;
}
