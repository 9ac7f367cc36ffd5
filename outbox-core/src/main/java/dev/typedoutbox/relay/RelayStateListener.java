package dev.typedoutbox.relay;

/**
 * Is told when a relay changes its state.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RelayStateListener {
    /**
     * Called once for each change, in order, on one of the relay's threads or on the one that starts or closes it. Must be
     * quick, and must not start or close the relay. What it throws is logged and does no harm.
     *
     * @param state the new state
     * @param reason why the relay waits; empty when it does not
     */
    void stateChanged(RelayState state, String reason);
}
