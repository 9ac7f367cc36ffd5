package dev.typedoutbox.store;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;

import org.jooq.DSLContext;

/** The one isolation level that locks, skipped rows and waits for a conflicting insert are sound under. */
public final class Isolation {
    static final String READ_COMMITTED = "read committed";

    private Isolation() {}

    /** Must be the transaction's first statement. */
    public static void setReadCommitted(DSLContext tx) {
        tx.setLocal(name("transaction_isolation"), inline(READ_COMMITTED)).execute();
    }
}
