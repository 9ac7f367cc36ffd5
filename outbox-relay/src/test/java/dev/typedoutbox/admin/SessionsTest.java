package dev.typedoutbox.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SessionsTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000);
    private final Sessions sessions = new Sessions(clock::get);
    private final Attempts attempts = new Attempts(clock::get);

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    @Test
    void sessionIsOpenUntilItIsTooOld() {
        String session = sessions.open();
        pass(Sessions.LIFETIME.minusSeconds(1));
        assertThat(sessions.isOpen(session)).isTrue();
        pass(Duration.ofSeconds(1));
        assertThat(sessions.isOpen(session)).isFalse();
    }

    @Test
    void unknownAndClosedSessionsAreNotOpen() {
        String session = sessions.open();
        sessions.close(session);
        sessions.close(null);
        assertThat(sessions.isOpen(session)).isFalse();
        assertThat(sessions.isOpen(null)).isFalse();
        assertThat(sessions.isOpen("")).isFalse();
    }

    @Test
    void oldestSessionMakesRoom() {
        String oldest = sessions.open();
        String second = sessions.open();
        IntStream.range(1, Sessions.MOST).forEach(i -> sessions.open());
        assertThat(sessions.isOpen(oldest)).isFalse();
        assertThat(sessions.isOpen(second)).isTrue();
    }

    @Test
    void sessionsCannotBeGuessed() {
        assertThat(sessions.open()).hasSizeGreaterThan(40).isNotEqualTo(sessions.open());
    }

    @Test
    void attemptsAreUsedUpForAMinuteAndForOneAddress() {
        IntStream.range(1, Attempts.MOST).forEach(i -> attempts.fail("192.0.2.1"));
        assertThat(attempts.areUsedUp("192.0.2.1")).isFalse();
        attempts.fail("192.0.2.1");
        assertThat(attempts.areUsedUp("192.0.2.1")).isTrue();
        assertThat(attempts.areUsedUp("192.0.2.2")).isFalse();
        pass(Attempts.WINDOW);
        assertThat(attempts.areUsedUp("192.0.2.1")).isFalse();
    }
}
