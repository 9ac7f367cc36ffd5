package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.lateral;
import static org.jooq.impl.DSL.min;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;

import dev.typedoutbox.db.generated.tables.OutboxEvents;
import java.time.Instant;
import org.jooq.CommonTableExpression;
import org.jooq.Condition;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;

/**
 * Counts the pending rows up to a limit, and finds the oldest, in one walk over their index: while an old snapshot is open
 * it is full of dead entries.
 */
final class PendingCount {
    private static final OutboxEvents E = OUTBOX_EVENTS;
    private static final String COUNTED = "counted";
    private static final Field<Short> SLOT = field(name(COUNTED, "slot"), SQLDataType.SMALLINT);
    private static final Field<Integer> EVENTS = field(name(COUNTED, "events"), SQLDataType.INTEGER);
    private static final Field<Long> LOWEST = field(name(COUNTED, "lowest"), SQLDataType.BIGINT);

    private final int limit;

    PendingCount(int limit) {
        this.limit = limit;
    }

    /** What the fields below need in their statement: for each slot how many were found, and the lowest number. */
    CommonTableExpression<?> counted() {
        Field<Short> slot = field(name("some", "slot"), SQLDataType.SMALLINT);
        Field<Long> seq = field(name("some", "seq"), SQLDataType.BIGINT);
        Table<?> some = select(E.SLOT, E.SEQ)
                .from(E)
                .where(EventConditions.pending(E))
                // The index has them so, and then they need no sorting to be grouped.
                .orderBy(E.SLOT, E.SEQ)
                .limit(inline(limit + 1))
                .asTable("some");
        return name(COUNTED)
                .as(select(slot, count().as("events"), min(seq).as("lowest"))
                        .from(some)
                        .groupBy(slot));
    }

    /** One more than the limit, if there are more. */
    Field<Integer> events() {
        return coalesce(field(select(sum(EVENTS)).from(table(name(COUNTED)))), inline(0))
                .cast(SQLDataType.INTEGER);
    }

    /** The first of each slot by its number, since the index has them in that order. Null if there is none. */
    Field<Instant> oldest() {
        Table<?> first = lateral(select(E.CREATED_AT)
                        .from(E)
                        .where(E.SLOT.eq(Slots.SLOT))
                        .and(E.SEQ.ge(coalesce(LOWEST, inline(0L))))
                        .and(EventConditions.pending(E))
                        .orderBy(E.SEQ)
                        .limit(inline(1)))
                .as("first");
        // The walk ended before some of the slots if there are more than it may count.
        Condition mayHaveSome = LOWEST.isNotNull().or(events().gt(inline(limit)));
        return field(select(min(field(name("first", "created_at"), SQLDataType.INSTANT)))
                .from(Slots.all().asTable())
                .leftJoin(table(name(COUNTED)))
                .on(SLOT.eq(Slots.SLOT))
                .crossJoin(first)
                .where(mayHaveSome));
    }
}
