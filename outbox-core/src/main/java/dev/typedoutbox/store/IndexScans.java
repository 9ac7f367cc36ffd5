package dev.typedoutbox.store;

import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;

import org.jooq.DSLContext;

/**
 * Keeps the planner on the indexes, in their order, for one transaction, whatever it believes of a table; or on the pages
 * that it is told. Plans that suit the statistics of an hour ago read the whole of it.
 */
final class IndexScans {
    private IndexScans() {}

    static void only(DSLContext tx) {
        tx.setLocal(name("enable_seqscan"), inline("off")).execute();
        tx.setLocal(name("enable_bitmapscan"), inline("off")).execute();
    }
}
