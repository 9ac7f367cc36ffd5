package dev.typedoutbox.store;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.currentInstant;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.RowId;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/**
 * Every query on the rows of a table that are older than some age. The column that tells their age has an index; where it
 * is null, a row has no age.
 */
final class OldRows {
    static final Duration LONGEST_STATEMENT = Duration.ofMinutes(1);

    /** The second key of the lock of those who purge a table one at a time; the first is the table's oid. */
    private static final Field<Integer> LOCK = inline(Slots.COUNT + 1);

    private final Table<?> table;
    private final Field<Instant> time;
    private final Field<Integer> oid;

    OldRows(String schema, Table<?> table, Field<Instant> time) {
        this.table = table;
        this.time = time;
        this.oid = new TableOid(schema, table).oid();
    }

    /** Must be the transaction's first statements. */
    static void begin(DSLContext tx) {
        Isolation.setReadCommitted(tx);
        IndexScans.only(tx);
        // A row that comes back in a crash of the database is deleted again.
        tx.setLocal(name("synchronous_commit"), inline("off")).execute();
        // The role's may be one for short statements.
        tx.setLocal(name("statement_timeout"), inline(LONGEST_STATEMENT.toMillis() + "ms"))
                .execute();
    }

    /** Gets the lock until the transaction ends, unless somebody else has it. */
    boolean tryLock(DSLContext tx) {
        return tx.select(function("pg_try_advisory_xact_lock", SQLDataType.BOOLEAN, oid, LOCK))
                .fetchSingle()
                .value1();
    }

    /** When the oldest row of some age is from; empty if none is that old. */
    Optional<Instant> oldest(DSLContext tx, Duration age) {
        return tx.select(time)
                .from(table)
                .where(olderThan(age))
                .orderBy(time)
                .limit(inline(1))
                .fetchOptional(time);
    }

    /**
     * Deletes rows of some age that nobody has locked, the oldest first.
     *
     * @param from the time below which nothing is looked for; null for none. What the batches before have deleted stays in
     *     the index while an old snapshot is open, and each would walk over it again.
     */
    PurgedBatch delete(DSLContext tx, Duration age, @Nullable Instant from, int limit) {
        // Not above it: many rows can have one time, and the limit may have parted them.
        Condition unseen = from == null ? noCondition() : time.ge(from);
        Select<Record1<RowId>> places = select(table.rowid())
                .from(table)
                .where(olderThan(age))
                .and(unseen)
                .orderBy(time)
                .limit(limit)
                .forUpdate()
                .skipLocked();
        // Locked rows do not move. An array is found once for the statement; a join could lock more than the limit.
        CommonTableExpression<Record1<Instant>> purged = name("purged")
                .as(deleteFrom(table)
                        .where(table.rowid().eq(any(array(places))))
                        .returningResult(time));
        return tx.with(purged)
                .select(count(), max(purged.field(time)))
                .from(purged)
                .fetchSingle(row -> new PurgedBatch(row.value1(), row.value2()));
    }

    private Condition olderThan(Duration age) {
        return time.lt(currentInstant().sub(val(DayToSecond.valueOf(age))));
    }
}
