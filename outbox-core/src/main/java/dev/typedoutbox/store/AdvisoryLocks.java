package dev.typedoutbox.store;

import static org.jooq.impl.DSL.currentCatalog;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;

import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/** Who holds the outbox's advisory locks, whose keys are the table's oid and a slot, or for the gate the number of slots. */
final class AdvisoryLocks {
    private static final Table<?> LOCKS = table(name("pg_catalog", "pg_locks"));
    private static final Field<Integer> KEY = integer("objid");
    /** That a lock has two keys. */
    private static final Field<Integer> KEYS = integer("objsubid");

    private final TableOid table;

    AdvisoryLocks(String schema) {
        this.table = new TableOid(schema);
    }

    /** How many slots are held. */
    Field<Integer> slots() {
        return field(selectCount().from(LOCKS).where(held()).and(KEY.lt(inline(Slots.COUNT))));
    }

    /** Whether the session with this number holds the gate. */
    Condition gateOf(Field<Integer> session) {
        return exists(selectOne()
                .from(LOCKS)
                .where(held())
                .and(KEY.eq(inline(Slots.COUNT)))
                .and(field(name("pg_locks", "pid"), SQLDataType.INTEGER).eq(session)));
    }

    /** Exclusively: writers that look at the gate hold it shared for a moment. */
    private Condition held() {
        Field<Integer> database = field(select(integer("oid"))
                .from(table(name("pg_catalog", "pg_database")))
                .where(field(name("datname"), SQLDataType.VARCHAR).eq(currentCatalog())));
        return field(name("locktype"), SQLDataType.VARCHAR)
                .eq(inline("advisory"))
                .and(integer("database").eq(database))
                .and(integer("classid").eq(table.oid()))
                .and(KEYS.eq(inline(2)))
                .and(field(name("mode"), SQLDataType.VARCHAR).eq(inline("ExclusiveLock")))
                .and(field(name("granted"), SQLDataType.BOOLEAN).isTrue());
    }

    private static Field<Integer> integer(String column) {
        return field("{0}::int", SQLDataType.INTEGER, field(name(column)));
    }
}
