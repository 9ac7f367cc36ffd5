package dev.typedoutbox.store;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.currentInstant;
import static org.jooq.impl.DSL.deleteFrom;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.time.Instant;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.Record2;
import org.jooq.RowId;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.types.DayToSecond;
import org.jspecify.annotations.Nullable;

/** Old rows of a table that has an index of their times: the oldest go first, and no young ones are read. */
final class OldRowsByTime implements OldRows {
    private final Table<?> table;
    private final Field<Instant> time;

    OldRowsByTime(Table<?> table, Field<Instant> time) {
        this.table = table;
        this.time = time;
    }

    @Override
    public boolean seemToExist(DSLContext tx, Duration age) {
        // The first step of a walk is no more work than to find out.
        return true;
    }

    @Override
    public Walk walk(Duration age) {
        return new UpwardWalk(time.lt(currentInstant().sub(val(DayToSecond.valueOf(age)))));
    }

    private final class UpwardWalk implements Walk {
        private final Condition old;
        private @Nullable Instant newest;
        private boolean atEnd;

        UpwardWalk(Condition old) {
            this.old = old;
        }

        @Override
        public boolean isAtEnd() {
            return atEnd;
        }

        @Override
        public int step(DSLContext tx) {
            Record2<Integer, Instant> deleted = delete(tx);
            newest = deleted.value2();
            atEnd = deleted.value1() < STEP;
            return deleted.value1();
        }

        private Record2<Integer, Instant> delete(DSLContext tx) {
            // What the steps before have deleted stays in the index while an old snapshot is open, and each would walk
            // over it again. Not above it: many rows can have one time, and the limit may have parted them.
            Condition unseen = newest == null ? noCondition() : time.ge(newest);
            Select<Record1<RowId>> places = select(table.rowid())
                    .from(table)
                    .where(old)
                    .and(unseen)
                    .orderBy(time)
                    .limit(STEP)
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
                    .fetchSingle();
        }
    }
}
