package dev.typedoutbox.store;

import static dev.typedoutbox.db.generated.Tables.OUTBOX_EVENTS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.count;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectCount;
import static org.jooq.impl.DSL.table;

import dev.typedoutbox.db.generated.tables.OutboxEvents;
import dev.typedoutbox.status.BoundedCount;
import dev.typedoutbox.status.RelaySession;
import dev.typedoutbox.status.StatusReport;
import dev.typedoutbox.status.TypeCount;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/** Every query that tells how the outbox is doing. They read a bounded number of rows, and find them by their indexes. */
public final class StatusStore {
    /** How far rows are counted. Before a vacuum each is looked up in the table, for the index does not tell who sees it. */
    public static final int COUNT_LIMIT = 10_000;

    /** How many pending rows are looked at to count their types. */
    public static final int TYPED_ROWS = 10_000;

    private static final int MOST_RELAYS = 1_000;

    private static final OutboxEvents E = OUTBOX_EVENTS;
    private static final PendingCount PENDING_COUNT = new PendingCount(COUNT_LIMIT);
    private static final Field<Integer> PENDING = PENDING_COUNT.events().as("pending");
    private static final Field<Instant> OLDEST_PENDING = PENDING_COUNT.oldest().as("oldest_pending");
    private static final Field<Integer> DEAD = dead().as("dead");
    private static final Field<Instant> OLDEST_DEAD = oldestDead().as("oldest_dead");
    private static final Field<Double> QUEUE_USAGE =
            function("pg_notification_queue_usage", SQLDataType.DOUBLE).as("queue_usage");

    private static final String SESSIONS = "pg_stat_activity";
    private static final Field<Integer> PID = field(name(SESSIONS, "pid"), SQLDataType.INTEGER);
    private static final Field<String> APPLICATION = field(name(SESSIONS, "application_name"), SQLDataType.VARCHAR);
    private static final Field<Instant> SINCE = field(name(SESSIONS, "backend_start"), SQLDataType.INSTANT);
    private static final Field<String> CLIENT = function(
                    "host", SQLDataType.VARCHAR, field(name(SESSIONS, "client_addr")))
            .as("client");

    private final AdvisoryLocks locks;

    /**
     * @param schema where the tables are
     */
    public StatusStore(String schema) {
        this.locks = new AdvisoryLocks(schema);
    }

    /**
     * Makes a transaction one that only reads, and in which no statement takes long, by the indexes, whatever the statistics
     * say of the table.
     */
    public static void prepare(DSLContext tx, Duration statementTimeout) {
        tx.select(
                        LocalSetting.of("transaction_read_only", "on"),
                        LocalSetting.of("statement_timeout", statementTimeout),
                        LocalSetting.of("lock_timeout", statementTimeout),
                        LocalSetting.of("jit", "off"),
                        LocalSetting.of("enable_seqscan", "off"),
                        LocalSetting.of("enable_bitmapscan", "off"))
                .execute();
    }

    public StatusReport read(DSLContext tx) {
        Field<Instant> now = DatabaseClock.NOW.as("now");
        Record row = tx.with(PENDING_COUNT.counted())
                .select(now, PENDING, OLDEST_PENDING, DEAD, OLDEST_DEAD, QUEUE_USAGE)
                .fetchSingle();
        Instant readAt = row.get(now);
        List<AdvisoryLock> held = locks.held(tx);
        return new StatusReport(
                readAt,
                bounded(row.get(PENDING)),
                age(row.get(OLDEST_PENDING), readAt),
                bounded(row.get(DEAD)),
                age(row.get(OLDEST_DEAD), readAt),
                Math.toIntExact(held.stream().filter(AdvisoryLock::isSlot).count()),
                relays(tx, held, readAt),
                row.get(QUEUE_USAGE));
    }

    public List<TypeCount> pendingByType(DSLContext tx, int limit) {
        Table<?> some = select(E.EVENT_TYPE)
                .from(E)
                .where(EventConditions.pending(E))
                .orderBy(E.SLOT, E.SEQ)
                .limit(inline(TYPED_ROWS))
                .asTable("some");
        Field<String> type = field(name("some", "event_type"), SQLDataType.VARCHAR);
        return tx.select(type, count())
                .from(some)
                .groupBy(type)
                .orderBy(count().desc(), type)
                .limit(limit)
                .fetch(row -> new TypeCount(row.value1(), row.value2()));
    }

    private static List<RelaySession> relays(DSLContext tx, List<AdvisoryLock> held, Instant readAt) {
        Integer[] listeners = sessions(held, AdvisoryLock::isListener);
        Set<Integer> asleep = Set.of(sessions(held, AdvisoryLock::isGate));
        return tx.select(PID, APPLICATION, CLIENT, SINCE)
                .from(table(name("pg_catalog", SESSIONS)))
                .where(PID.eq(any(listeners)))
                // Its number may be another session's by now.
                .and(APPLICATION.startsWith(inline(ApplicationName.PREFIX)))
                .orderBy(SINCE, PID)
                .limit(inline(MOST_RELAYS))
                .fetch(row -> session(row, asleep, readAt));
    }

    private static Integer[] sessions(List<AdvisoryLock> held, Predicate<AdvisoryLock> which) {
        return held.stream().filter(which).map(AdvisoryLock::session).distinct().toArray(Integer[]::new);
    }

    private static RelaySession session(Record row, Set<Integer> asleep, Instant readAt) {
        Instant since = row.get(SINCE);
        return new RelaySession(
                ApplicationName.relay(row.get(APPLICATION)),
                row.get(PID),
                row.get(CLIENT),
                since == null ? readAt : since,
                asleep.contains(row.get(PID)));
    }

    /** One more than the limit, if there are more. */
    private static Field<Integer> dead() {
        Table<?> some = select(inline(1).as("one"))
                .from(E)
                .where(E.DEAD_AT.isNotNull())
                // Of the two indexes that have them all, the one in whose order they lie in the table.
                .orderBy(E.SEQ)
                .limit(inline(COUNT_LIMIT + 1))
                .asTable("some");
        return field(selectCount().from(some));
    }

    private static Field<Instant> oldestDead() {
        return field(select(E.DEAD_AT)
                .from(E)
                .where(E.DEAD_AT.isNotNull())
                .orderBy(E.SEQ)
                .limit(inline(1)));
    }

    private static BoundedCount bounded(int counted) {
        return new BoundedCount(Math.min(counted, COUNT_LIMIT), counted <= COUNT_LIMIT);
    }

    /** Writers may give their own times, those to come as well. */
    private static @Nullable Duration age(@Nullable Instant since, Instant now) {
        if (since == null) {
            return null;
        }
        return since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO;
    }
}
