package dev.typedoutbox.store;

import static dev.typedoutbox.store.HeldLocks.integer;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;

import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * The outbox's advisory locks. Their first key is the oid of a table, so that two outboxes in one database do not meet; the
 * second is a slot, or one of those below.
 */
final class AdvisoryLocks {
    /** Held by one relay that sleeps: while it does, writers notify. The trigger has the number, too. */
    static final int GATE = Slots.COUNT;

    /** Held by a cleanup at work on the table. */
    static final int CLEANUP = Slots.COUNT + 1;

    /** Shared by all relays that listen, so that they are found, and told from those of another outbox. */
    static final int LISTENER = Slots.COUNT + 2;

    private static final Field<Integer> KEY = integer("objid");
    /** A prepared transaction's locks have no session. */
    private static final Field<Integer> SESSION = coalesce(integer("pid"), inline(0));

    private static final Field<Boolean> EXCLUSIVE =
            field(field(name("mode"), SQLDataType.VARCHAR).eq(inline("ExclusiveLock")));

    private final TableOid table;

    AdvisoryLocks(String schema) {
        this.table = new TableOid(schema);
    }

    /** Those of {@code outbox_events} that are held now. */
    List<AdvisoryLock> held(DSLContext tx) {
        return tx.select(SESSION, KEY, EXCLUSIVE)
                .from(HeldLocks.TABLE)
                .where(HeldLocks.ofType("advisory"))
                .and(integer("classid").eq(table.oid()))
                // That it has two keys.
                .and(integer("objsubid").eq(inline(2)))
                .and(field(name("granted"), SQLDataType.BOOLEAN).isTrue())
                .fetch(row -> new AdvisoryLock(row.value1(), row.value2(), row.value3()));
    }
}
