package dev.typedoutbox.property;

import java.util.List;

/** One step of a run. What makes no sense at its time, such as a commit without a transaction, does nothing. */
sealed interface Action {
    void on(World world);

    /** Adds events to the writer's transaction, which begins if there is none. */
    record Write(int writer, int aggregate, int events, boolean plainSql) implements Action {
        @Override
        public void on(World world) {
            world.writers().write(this);
        }
    }

    record Commit(int writer) implements Action {
        @Override
        public void on(World world) {
            world.writers().commit(writer);
        }
    }

    record RollBack(int writer) implements Action {
        @Override
        public void on(World world) {
            world.writers().rollBack(writer);
        }
    }

    /** A relay runs one batch; events beyond the given answers are confirmed. */
    record Step(int relay, List<Answer> answers) implements Action {
        @Override
        public void on(World world) {
            world.step(this);
        }
    }

    /** Relays run some batches each, and writers commit, on threads of their own at the same time. */
    record Race(List<Step> steps, int rounds, List<Integer> commits) implements Action {
        @Override
        public void on(World world) {
            world.race(this);
        }
    }

    /** Whatever waits for its retry becomes due. */
    record TimePasses() implements Action {
        @Override
        public void on(World world) {
            world.operator().letTimePass();
        }
    }

    /** Somebody, as a person at a console may, locks the oldest row that is to be sent and that nobody else has locked. */
    record StrangerLocks() implements Action {
        @Override
        public void on(World world) {
            world.stranger().lockOldest();
        }
    }

    record StrangerLetsGo() implements Action {
        @Override
        public void on(World world) {
            world.stranger().letGo();
        }
    }

    record RetryOne() implements Action {
        @Override
        public void on(World world) {
            world.operator().retryOne();
        }
    }

    record RetryAll() implements Action {
        @Override
        public void on(World world) {
            world.operator().retryAll();
        }
    }

    record DiscardOne() implements Action {
        @Override
        public void on(World world) {
            world.operator().discardOne();
        }
    }
}
