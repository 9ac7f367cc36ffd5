package dev.typedoutbox.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RelayStatesTest {
    private final RelayStates states = new RelayStates("test", 2);

    @Test
    void relayIsStoppedUntilItStarts() {
        assertThat(states.state()).isEqualTo(RelayState.STOPPED);
        states.setAll(RelayState.STARTING);
        assertThat(states.state()).isEqualTo(RelayState.STARTING);
    }

    @Test
    void relayRunsWhileOneWorkerDoes() {
        states.setAll(RelayState.STARTING);
        states.set(0, RelayState.RUNNING, "");
        states.set(1, RelayState.WAITING_FOR_BROKER, "gone");
        assertThat(states.state()).isEqualTo(RelayState.RUNNING);

        states.set(0, RelayState.WAITING_FOR_DATABASE, "gone");
        assertThat(states.state()).isEqualTo(RelayState.WAITING_FOR_DATABASE);

        states.set(1, RelayState.RUNNING, "");
        assertThat(states.state()).isEqualTo(RelayState.RUNNING);
    }

    @Test
    void workerThatFoundNothingDoesNotSpeakForTheBroker() {
        states.setAll(RelayState.STARTING);
        states.idle(0);
        assertThat(states.state()).isEqualTo(RelayState.RUNNING);

        states.set(1, RelayState.WAITING_FOR_BROKER, "gone");
        states.idle(0);
        assertThat(states.state()).isEqualTo(RelayState.WAITING_FOR_BROKER);

        states.set(1, RelayState.WAITING_FOR_DATABASE, "no connection left");
        assertThat(states.state()).isEqualTo(RelayState.RUNNING);

        states.idle(1);
        assertThat(states.state()).isEqualTo(RelayState.RUNNING);
    }

    /** One that pauses until its next try says nothing new meanwhile: what it knows is older than what was published. */
    @Test
    void workerThatPublishedSpeaksForTheBrokerUntilAnotherFailsAnew() {
        states.setAll(RelayState.STARTING);
        states.set(1, RelayState.WAITING_FOR_BROKER, "gone");
        states.set(0, RelayState.RUNNING, "");
        states.idle(0);
        assertThat(states.state()).isEqualTo(RelayState.RUNNING);

        states.set(1, RelayState.WAITING_FOR_BROKER, "still gone");
        assertThat(states.state()).isEqualTo(RelayState.WAITING_FOR_BROKER);
    }

    @Test
    void lateWordOfAWorkerDoesNotWakeAStoppedRelay() {
        states.setAll(RelayState.STARTING);
        states.setAll(RelayState.STOPPED);

        states.set(0, RelayState.RUNNING, "");

        assertThat(states.state()).isEqualTo(RelayState.STOPPED);
    }

    @Test
    void listenersAreToldOfEachChangeOnceAndInOrder() {
        List<String> told = new ArrayList<>();
        states.add((state, reason) -> told.add(state + " " + reason));
        states.setAll(RelayState.STARTING);
        states.set(0, RelayState.WAITING_FOR_BROKER, "refused");
        states.set(1, RelayState.WAITING_FOR_BROKER, "refused");
        states.set(1, RelayState.RUNNING, "");
        states.setAll(RelayState.STOPPED);
        assertThat(told).containsExactly("STARTING ", "WAITING_FOR_BROKER refused", "RUNNING ", "STOPPED ");
    }

    @Test
    void stateThatShowsLaterKeepsTheReasonOfTheWorkerThatWaits() {
        states.setAll(RelayState.STARTING);
        List<String> told = told();
        states.set(0, RelayState.RUNNING, "");
        states.set(1, RelayState.WAITING_FOR_BROKER, "gone");
        states.idle(0);
        assertThat(told).containsExactly("RUNNING ", "WAITING_FOR_BROKER gone");
    }

    @Test
    void reasonIsNotThatOfAWorkerThatWaitsForSomethingElse() {
        states.setAll(RelayState.STARTING);
        List<String> told = told();
        states.set(0, RelayState.RUNNING, "");
        states.set(1, RelayState.WAITING_FOR_DATABASE, "no connection");
        states.set(0, RelayState.WAITING_FOR_BROKER, "blocks");
        assertThat(told).containsExactly("RUNNING ", "WAITING_FOR_DATABASE no connection");
    }

    @Test
    void reasonIsTheLatestOfSeveralWorkersThatWaitForTheSame() {
        states.setAll(RelayState.STARTING);
        List<String> told = told();
        states.set(0, RelayState.WAITING_FOR_DATABASE, "no connection");
        states.set(1, RelayState.RUNNING, "");
        states.set(1, RelayState.WAITING_FOR_DATABASE, "no such table");
        assertThat(told)
                .containsExactly(
                        "WAITING_FOR_DATABASE no connection", "RUNNING ", "WAITING_FOR_DATABASE no such table");
    }

    private List<String> told() {
        List<String> told = new ArrayList<>();
        states.add((state, reason) -> told.add(state + " " + reason));
        return told;
    }

    @Test
    void listenerThatThrowsDisturbsNobody() {
        List<RelayState> told = new ArrayList<>();
        states.add((state, reason) -> {
            throw new IllegalStateException("the listener fails on purpose");
        });
        states.add((state, reason) -> told.add(state));
        states.setAll(RelayState.STARTING);
        assertThat(told).containsExactly(RelayState.STARTING);
        assertThat(states.state()).isEqualTo(RelayState.STARTING);
    }
}
