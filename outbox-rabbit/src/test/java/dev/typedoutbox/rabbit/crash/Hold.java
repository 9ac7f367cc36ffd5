package dev.typedoutbox.rabbit.crash;

import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** Lets a relay stand still when it first comes to a step, until it is released. */
final class Hold {
    /** Where a relay can stand still. */
    enum Step {
        /** Nowhere: it works as ever. */
        NOWHERE,
        /** It holds slots and has not fetched yet. */
        AFTER_LOCK,
        /** It has fetched, and published nothing yet. */
        AFTER_FETCH,
        /** The broker has confirmed the first wave, and nothing is marked yet. */
        AFTER_CONFIRM,
        /** All of the batch is marked, in a transaction that is still open. */
        BEFORE_COMMIT,
        /** The batch is over. */
        AFTER_COMMIT;

        String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    static final String CONNECTED = "connected";

    private final Step step;
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile boolean connected;

    Hold(Step step) {
        this.step = step;
    }

    void at(Step here) {
        if (here != step || released.getCount() == 0) {
            return;
        }
        say(here.name());
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void release() {
        released.countDown();
    }

    /** To be called whenever the broker is ready. */
    void connected() {
        if (!connected) {
            connected = true;
            say(CONNECTED);
        }
    }

    private static void say(String word) {
        System.out.println(ChildJvm.MARK + word);
    }
}
