package dev.typedoutbox.property;

import dev.typedoutbox.property.Answer.Verdict;
import dev.typedoutbox.property.Setup.Limits;
import dev.typedoutbox.property.Setup.Mode;
import dev.typedoutbox.relay.PublishedRows;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.Tuple;

/** Draws runs. What is simple comes first in each choice, so that counterexamples shrink towards it. */
final class Runs {
    private static final Arbitrary<Integer> WRITER = Arbitraries.integers().between(0, PropertyDatabase.WRITERS - 1);
    private static final Arbitrary<Integer> RELAY = Arbitraries.integers().between(0, PropertyDatabase.RELAYS - 1);

    private Runs() {}

    static Arbitrary<Setup> setups() {
        Arbitrary<Limits> limits = Combinators.combine(
                        Arbitraries.integers().between(1, 7), Arbitraries.of(1_000_000L, 40L, 1L))
                .as(Limits::new);
        return Combinators.combine(
                        Arbitraries.of(Mode.GO_ON, Mode.HOLD, Mode.GO_ON, Mode.HOLD, Mode.UNORDERED),
                        Arbitraries.integers().between(1, 3),
                        Arbitraries.of(true, false),
                        Arbitraries.of(PublishedRows.class),
                        limits.list().ofMinSize(1).ofMaxSize(PropertyDatabase.RELAYS))
                .as(Setup::new);
    }

    static Arbitrary<List<Action>> actions(int most) {
        return Arbitraries.frequencyOf(
                        Tuple.of(12, writes()),
                        Tuple.of(6, WRITER.map(Action.Commit::new)),
                        Tuple.of(1, WRITER.map(Action.RollBack::new)),
                        Tuple.of(10, steps(answersWhileOthersAct())),
                        Tuple.of(3, races()),
                        Tuple.of(3, interventions()))
                .list()
                .ofMaxSize(most)
                .withSizeDistribution(RandomDistribution.uniform());
    }

    private static Arbitrary<Action> writes() {
        return Combinators.combine(
                        WRITER,
                        Arbitraries.integers().between(0, PropertyDatabase.AGGREGATES - 1),
                        Arbitraries.integers().between(1, 4),
                        Arbitraries.of(true, false))
                .as(Action.Write::new);
    }

    private static Arbitrary<Action.Step> steps(Arbitrary<Answer> answers) {
        return Combinators.combine(RELAY, answers.list().ofMaxSize(6)).as(Action.Step::new);
    }

    private static Arbitrary<Action.Race> races() {
        return Combinators.combine(
                        steps(answers())
                                .list()
                                .uniqueElements(Action.Step::relay)
                                .ofMinSize(2)
                                .ofMaxSize(4),
                        Arbitraries.integers().between(1, 4),
                        WRITER.list().ofMaxSize(2).uniqueElements())
                .as(Action.Race::new);
    }

    private static Arbitrary<Action> interventions() {
        return Arbitraries.of(
                new Action.TimePasses(),
                new Action.StrangerLocks(),
                new Action.StrangerLetsGo(),
                new Action.RetryOne(),
                new Action.RetryAll(),
                new Action.DiscardOne());
    }

    private static Arbitrary<Answer> answers() {
        return verdicts().map(verdict -> new Answer(verdict, List.of()));
    }

    private static Arbitrary<Answer> answersWhileOthersAct() {
        Arbitrary<Action> others = Arbitraries.frequencyOf(
                Tuple.of(4, steps(answers())),
                Tuple.of(2, WRITER.map(Action.Commit::new)),
                Tuple.of(1, writes()),
                Tuple.of(1, interventions()));
        return Combinators.combine(verdicts(), meanwhile(others)).as(Answer::new);
    }

    private static Arbitrary<List<Action>> meanwhile(Arbitrary<Action> others) {
        return Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.just(List.of())),
                Tuple.of(1, others.list().ofMinSize(1).ofMaxSize(2)));
    }

    private static Arbitrary<Verdict> verdicts() {
        return Arbitraries.frequency(
                Tuple.of(12, Verdict.CONFIRMED),
                Tuple.of(5, Verdict.REFUSED),
                Tuple.of(1, Verdict.UNKNOWN_BUT_ARRIVED),
                Tuple.of(1, Verdict.UNKNOWN_AND_LOST),
                Tuple.of(1, Verdict.CUT),
                Tuple.of(1, Verdict.THROWS),
                Tuple.of(1, Verdict.SESSION_ENDED));
    }
}
