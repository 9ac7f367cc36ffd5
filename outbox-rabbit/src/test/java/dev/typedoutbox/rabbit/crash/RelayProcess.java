package dev.typedoutbox.rabbit.crash;

import dev.typedoutbox.rabbit.crash.Hold.Step;
import dev.typedoutbox.servers.Database;
import java.time.Duration;
import java.util.List;

/** A relay in a process of its own, which can stand still at a step, be killed and be frozen. */
final class RelayProcess implements AutoCloseable {
    static final int BATCH_SIZE = 50;

    private final ChildJvm jvm;

    RelayProcess(Database database, String amqpUri, String exchange, Duration confirmTimeout, Step holdAt) {
        jvm = new ChildJvm(
                RelayMain.class,
                List.of(
                        database.jdbcUrl(),
                        database.user(),
                        database.password(),
                        amqpUri,
                        exchange,
                        Integer.toString(BATCH_SIZE),
                        Long.toString(confirmTimeout.toMillis()),
                        holdAt.name()));
    }

    void awaitConnected() {
        jvm.awaitSaid(Hold.CONNECTED);
    }

    void awaitStep(Step step) {
        jvm.awaitSaid(step.name());
    }

    /** Lets it go on from where it stands still, and nowhere stand still again. */
    void release() {
        jvm.poke();
    }

    boolean isAlive() {
        return jvm.isAlive();
    }

    /** Ends it with SIGKILL. */
    void kill() {
        jvm.kill();
    }

    void freeze() {
        jvm.freeze();
    }

    void thaw() {
        jvm.thaw();
    }

    @Override
    public void close() {
        jvm.close();
    }
}
