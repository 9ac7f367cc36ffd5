package dev.typedoutbox.admin;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Visitors who have shown the token. The oldest makes room when there are too many. */
final class Sessions {
    static final Duration LIFETIME = Duration.ofHours(12);
    static final int MOST = 100;
    private static final int ID_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final LongSupplier nanoClock;
    private final Map<String, Long> startedAt = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST;
        }
    };

    Sessions(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    synchronized String open() {
        byte[] id = new byte[ID_BYTES];
        random.nextBytes(id);
        String text = Base64.getUrlEncoder().withoutPadding().encodeToString(id);
        startedAt.put(text, nanoClock.getAsLong());
        return text;
    }

    synchronized boolean isOpen(@Nullable String id) {
        Long start = id == null ? null : startedAt.get(id);
        return start != null && nanoClock.getAsLong() - start < LIFETIME.toNanos();
    }

    synchronized void close(@Nullable String id) {
        if (id != null) {
            startedAt.remove(id);
        }
    }
}
