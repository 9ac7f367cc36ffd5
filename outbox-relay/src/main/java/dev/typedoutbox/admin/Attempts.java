package dev.typedoutbox.admin;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Counts wrong tokens by the address that they came from, so that none can be guessed at speed. */
final class Attempts {
    static final int MOST = 10;
    static final Duration WINDOW = Duration.ofMinutes(1);
    private static final int MOST_ADDRESSES = 1_000;

    private final LongSupplier nanoClock;
    private final Map<String, Window> windows = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Window> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    Attempts(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    synchronized boolean areUsedUp(String address) {
        Window window = windows.get(address);
        return window != null && !isOver(window) && window.failures >= MOST;
    }

    synchronized void fail(String address) {
        Window window = windows.get(address);
        if (window == null || isOver(window)) {
            windows.remove(address);
            windows.put(address, new Window(nanoClock.getAsLong(), 1));
        } else {
            windows.put(address, new Window(window.start, window.failures + 1));
        }
    }

    private boolean isOver(Window window) {
        return nanoClock.getAsLong() - window.start >= WINDOW.toNanos();
    }

    private record Window(long start, int failures) {}
}
