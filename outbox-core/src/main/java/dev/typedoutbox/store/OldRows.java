package dev.typedoutbox.store;

import java.time.Duration;
import org.jooq.DSLContext;

/** The rows of a table that are older than some age. Those that somebody has locked are passed over. */
interface OldRows {
    /** The most that one step of a walk deletes. */
    int STEP = 5_000;

    /** Whether it is worth a walk, at a guess where the table is large. */
    boolean seemToExist(DSLContext tx, Duration age);

    /** Begins to delete them. */
    Walk walk(Duration age);

    /** One purge's way through the table. A step is a transaction's work; after one that failed the walk is of no use. */
    interface Walk {
        boolean isAtEnd();

        /** Deletes the next few, if there are any; answers how many. */
        int step(DSLContext tx);
    }
}
