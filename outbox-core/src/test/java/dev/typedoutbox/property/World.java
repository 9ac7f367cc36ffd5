package dev.typedoutbox.property;

import dev.typedoutbox.relay.BatchResult;
import dev.typedoutbox.relay.Relay;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jooq.exception.DataAccessException;

/** One run: the actors, and what they do to each other. */
final class World {
    private final Setup setup;
    private final PropertyDatabase database;
    private final Ledger ledger;
    private final Writers writers;
    private final Operator operator;
    private final Stranger stranger;
    private final Audit audit;
    private final Set<Integer> busyRelays = ConcurrentHashMap.newKeySet();

    World(Setup setup, PropertyDatabase database) {
        this.setup = setup;
        this.database = database;
        this.ledger = new Ledger(setup);
        this.writers = new Writers(ledger, database.aggregates(), database.writers());
        this.operator = new Operator(ledger, database.dataSource());
        this.stranger = new Stranger(database.stranger());
        this.audit = new Audit(setup, ledger, database.dsl());
    }

    void run(List<Action> actions) {
        for (Action action : actions) {
            action.on(this);
            audit.check();
        }
        drain();
        audit.checkAllPublished();
    }

    Ledger ledger() {
        return ledger;
    }

    Writers writers() {
        return writers;
    }

    Operator operator() {
        return operator;
    }

    Stranger stranger() {
        return stranger;
    }

    /** Does nothing if the relay has a batch under way. */
    void step(Action.Step step) {
        int relay = step.relay() % setup.relays().size();
        if (busyRelays.add(relay)) {
            try {
                runOnce(relay, step.answers());
            } finally {
                busyRelays.remove(relay);
            }
        }
    }

    void race(Action.Race race) {
        List<Callable<Boolean>> racers = new ArrayList<>();
        race.steps()
                .forEach(step -> racers.add(() -> {
                    step(step);
                    return true;
                }));
        race.commits()
                .forEach(writer -> racers.add(() -> {
                    writers.commit(writer);
                    return true;
                }));
        try {
            for (Future<Boolean> racer : database.threads().invokeAll(racers)) {
                racer.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("a racer failed", e);
        }
    }

    /** The database ends the session of the batch, and all its locks are gone when this returns. */
    void endSession(Sending sending) {
        ledger.sessionEnds(sending);
        database.endSession(sending.relay);
    }

    private int runOnce(int relay, List<Answer> answers) {
        Sending sending = ledger.begin(relay);
        try {
            BatchResult result = Relay.create(
                            database.relay(relay),
                            new ScriptedPublisher(this, sending, answers),
                            setup.config(setup.relays().get(relay)))
                    .runOnce();
            ledger.committed(sending, result);
            return result.fetched();
        } catch (DataAccessException e) {
            ledger.failed(sending, e);
            return 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a relay here", e);
        }
    }

    private void drain() {
        writers.commitAll();
        stranger.letGo();
        operator.retryAll();
        do {
            operator.letTimePass();
        } while (runOnce(0, List.of()) > 0);
    }
}
