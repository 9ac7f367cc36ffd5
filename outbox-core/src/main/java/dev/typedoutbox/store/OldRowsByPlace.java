package dev.typedoutbox.store;

import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.array;
import static org.jooq.impl.DSL.condition;
import static org.jooq.impl.DSL.currentInstant;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.val;

import java.time.Duration;
import java.time.Instant;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record1;
import org.jooq.RowId;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.types.DayToSecond;

/**
 * Old rows of a table that has no index of their times, since that would cost those who write the times. The table is read
 * from one end to the other, some pages at a time. Old rows do not move meanwhile: nobody changes them.
 */
final class OldRowsByPlace implements OldRows {
    /** How many pages of a large table are looked at, by chance, before it is read as a whole. */
    private static final long SAMPLED_PAGES = 256;

    private static final long FIRST_STEP_PAGES = 64;
    private static final long MOST_PAGES = 4_096;
    private static final double ALL = 100;

    private final Table<?> table;
    private final Field<Instant> time;
    private final TableOid oid;

    OldRowsByPlace(Table<?> table, Field<Instant> time, TableOid oid) {
        this.table = table;
        this.time = time;
        this.oid = oid;
    }

    @Override
    public boolean seemToExist(DSLContext tx, Duration age) {
        long pages = pages(tx);
        double percent = pages <= SAMPLED_PAGES ? ALL : ALL * SAMPLED_PAGES / pages;
        return tx.fetchExists(selectOne()
                // jOOQ has no TABLESAMPLE.
                .from(table("{0} tablesample system ({1})", table, inline(percent)))
                .where(olderThan(age)));
    }

    private long pages(DSLContext tx) {
        return tx.select(oid.pages()).fetchSingle().value1();
    }

    private Condition olderThan(Duration age) {
        return time.lt(currentInstant().sub(val(DayToSecond.valueOf(age))));
    }

    @Override
    public Walk walk(Duration age) {
        return new PageWalk(olderThan(age));
    }

    private final class PageWalk implements Walk {
        private final Condition old;
        private long next;
        private long end = Long.MAX_VALUE;
        private long pages = FIRST_STEP_PAGES;

        PageWalk(Condition old) {
            this.old = old;
        }

        @Override
        public boolean isAtEnd() {
            return next >= end;
        }

        @Override
        public int step(DSLContext tx) {
            if (next == 0) {
                end = pages(tx);
            }
            long to = Math.min(next + pages, end);
            int deleted = delete(tx, to);
            if (deleted == STEP) {
                // There may be more of them in the same pages.
                pages = Math.max(1, pages / 2);
            } else {
                next = to;
                pages = deleted < STEP / 2 ? Math.min(2 * pages, MOST_PAGES) : pages;
            }
            return deleted;
        }

        private int delete(DSLContext tx, long to) {
            Select<Record1<RowId>> places = select(table.rowid())
                    .from(table)
                    .where(condition("{0} >= {1}::tid", table.rowid(), inline("(" + next + ",0)")))
                    .and(condition("{0} < {1}::tid", table.rowid(), inline("(" + to + ",0)")))
                    .and(old)
                    .limit(STEP)
                    .forUpdate()
                    .skipLocked();
            return tx.deleteFrom(table)
                    .where(table.rowid().eq(any(array(places))))
                    .execute();
        }
    }
}
