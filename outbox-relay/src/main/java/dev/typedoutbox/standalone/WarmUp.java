package dev.typedoutbox.standalone;

import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Loads the classes that take longest, on another core, while the command line and the settings are read. Nobody else may
 * use them before it is done: their initialisers refer to each other, and two threads in them could wait for each other.
 */
final class WarmUp implements Runnable {
    private static final Thread THREAD = new Thread(new WarmUp(), "outbox-warm-up");

    private WarmUp() {}

    static void start() {
        THREAD.setDaemon(true);
        THREAD.start();
    }

    /** Returns at once if it was never started, and not before the end if it was: an interrupt has to wait. */
    static void await() {
        boolean interrupted = false;
        while (THREAD.isAlive()) {
            try {
                THREAD.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        DSL.using(SQLDialect.POSTGRES)
                .select(DSL.val(1))
                .where(DSL.trueCondition())
                .getSQL();
    }
}
