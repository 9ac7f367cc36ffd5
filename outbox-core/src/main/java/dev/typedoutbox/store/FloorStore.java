package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.falseCondition;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.least;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;
import static org.jooq.impl.DSL.when;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record2;
import org.jooq.impl.SQLDataType;

/**
 * Every query that the relay's floor needs: how far numbers were drawn, who may still commit one of them, and which is the
 * lowest that is not settled.
 */
public final class FloorStore {
    private static final Field<String> HOLDER = field(name("virtualtransaction"), SQLDataType.VARCHAR);

    private final TableOid table;
    private final boolean deadOnesHold;

    /**
     * @param schema where the tables are
     * @param holdBack which events hold back the later ones of their aggregate
     */
    public FloorStore(String schema, HoldBack holdBack) {
        this.table = new TableOid(schema);
        this.deadOnesHold = holdBack == HoldBack.WAITING_OR_DEAD;
    }

    /**
     * The last number drawn, zero before the first. Empty if numbers do not come one by one, in order, or if the role may
     * not look.
     */
    public Optional<Long> lastNumber(DSLContext tx) {
        Field<Object> sequence = field(
                "{0}::regclass",
                SQLDataType.OTHER,
                function(
                        "pg_get_serial_sequence",
                        SQLDataType.VARCHAR,
                        table.name(),
                        inline(OUTBOX_EVENTS.SEQ.getName())));
        Field<Boolean> readable =
                function("has_sequence_privilege", SQLDataType.BOOLEAN, sequence, inline("USAGE, SELECT"));
        Field<Long> last = function("pg_sequence_last_value", SQLDataType.BIGINT, sequence);
        // Names the table, so that it is locked before the sequence, as by everybody else.
        Field<Long> nothing =
                field(select(OUTBOX_EVENTS.SEQ).from(OUTBOX_EVENTS).where(falseCondition()));
        return tx.select(readable, when(readable, coalesce(last, inline(0L))))
                .from(table(name("pg_catalog", "pg_sequence")))
                .where(field(name("seqrelid")).eq(sequence))
                .and(field(name("seqcache"), SQLDataType.BIGINT).eq(inline(1L)))
                .and(field(name("seqincrement"), SQLDataType.BIGINT).eq(inline(1L)))
                .and(nothing.isNull())
                .fetchOptional()
                .filter(Record2::value1)
                .map(Record2::value2);
    }

    /**
     * The transactions in progress that hold the lock which an INSERT takes before it draws a number. Prepared ones are
     * among them, readers are not. To be called after {@link #lastNumber}: whoever is not among them draws a higher one.
     * PostgreSQL shows a commit before it frees the locks, and a transaction that is prepared keeps its name.
     */
    public List<String> writers(DSLContext tx) {
        return tx.selectDistinct(HOLDER)
                .from(HeldLocks.TABLE)
                .where(writersLock())
                .and(field(name("pid"), SQLDataType.INTEGER)
                        .isDistinctFrom(function("pg_backend_pid", SQLDataType.INTEGER)))
                .fetch(HOLDER);
    }

    /**
     * The lowest number that is still to be sent, or that may be when an operator has decided, for each of the slots that
     * have one. One statement, so that no row changes from one to the other unseen.
     */
    public Map<Short, Long> lowestUnsettled(DSLContext tx, Slots slots) {
        Field<Long> lowest = (deadOnesHold
                        ? least(EventConditions.firstPending(), firstDead())
                        : EventConditions.firstPending())
                .as("lowest");
        return tx.select(Slots.SLOT, lowest).from(slots.asTable()).fetch().stream()
                .filter(row -> row.value2() != null)
                .collect(Collectors.toMap(Record2::value1, Record2::value2));
    }

    private static Field<Long> firstDead() {
        return field(select(OUTBOX_EVENTS.SEQ)
                .from(OUTBOX_EVENTS)
                .where(OUTBOX_EVENTS.DEAD_AT.isNotNull())
                .orderBy(OUTBOX_EVENTS.SEQ)
                .limit(inline(1)));
    }

    private Condition writersLock() {
        return HeldLocks.ofType("relation")
                .and(HeldLocks.integer("relation").eq(table.oid()))
                .and(field(name("mode"), SQLDataType.VARCHAR).eq(inline("RowExclusiveLock")));
    }
}
