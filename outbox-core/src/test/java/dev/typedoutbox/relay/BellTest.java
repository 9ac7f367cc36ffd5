package dev.typedoutbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class BellTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final Bell bell = new Bell(2, LONG);
    private final List<Thread> resting = new ArrayList<>();

    @AfterEach
    void end() {
        resting.forEach(Thread::interrupt);
    }

    @Test
    void eachRingWakesOne() throws Exception {
        Thread one = rest();
        Thread other = rest();
        assertThat(bell.awaitAllResting(LONG)).isTrue();

        bell.ring();
        RelayFixture.eventually(() -> one.isAlive() != other.isAlive());
        assertThat(bell.awaitAllResting(Duration.ofMillis(1))).isFalse();

        bell.ring();
        one.join();
        other.join();
    }

    @Test
    void ringThatNobodyRestsForKeepsTheNextFromResting() throws Exception {
        bell.ring();
        bell.ring();
        bell.rest(LONG);

        Thread next = rest();
        rest();
        assertThat(bell.awaitAllResting(LONG)).isTrue();
        assertThat(next.isAlive()).isTrue();
    }

    @Test
    void workersThatAreToPollAgainDoNotCountAsResting() throws Exception {
        rest();
        rest();
        assertThat(bell.awaitAllResting(LONG)).isTrue();

        bell.ring();
        assertThat(bell.awaitAllResting(Duration.ZERO)).isFalse();
    }

    @Test
    void pauseIsNotARest() throws Exception {
        Thread pausing = start(() -> bell.pause(LONG));
        rest();
        assertThat(bell.awaitAllResting(Duration.ofMillis(50))).isFalse();

        bell.ring();
        assertThat(pausing.isAlive()).isTrue();
    }

    @Test
    void restsThatHaveBegunAreBoundedToo() throws Exception {
        Thread one = rest();
        Thread other = rest();
        assertThat(bell.awaitAllResting(LONG)).isTrue();

        bell.boundRests(Duration.ofMillis(1));

        one.join();
        other.join();
    }

    @Test
    void closingEndsAllRestsAndPausesForGood() throws Exception {
        Thread restingOne = rest();
        Thread pausing = start(() -> bell.pause(LONG));

        bell.close();

        restingOne.join();
        pausing.join();
        bell.rest(LONG);
        bell.pause(LONG);
        assertThat(bell.awaitAllResting(LONG)).isFalse();
        assertThat(bell.isClosed()).isTrue();
    }

    private Thread rest() {
        return start(() -> bell.rest(LONG));
    }

    private Thread start(Wait wait) {
        Thread thread = new Thread(() -> {
            try {
                wait.run();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        resting.add(thread);
        return thread;
    }

    private interface Wait {
        void run() throws InterruptedException;
    }
}
