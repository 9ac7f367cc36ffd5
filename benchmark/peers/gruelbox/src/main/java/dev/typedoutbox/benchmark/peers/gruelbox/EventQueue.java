package dev.typedoutbox.benchmark.peers.gruelbox;

/** What the application schedules calls of: gruelbox stores the call, and makes it later on the real object. */
interface EventQueue {
    /**
     * Publishes an event and returns when the broker has confirmed it.
     *
     * @param type the event's type
     * @param payload its JSON
     * @throws Exception if that fails, so that the call is made again
     */
    void publish(String type, String payload) throws Exception;
}
