package dev.typedoutbox.example;

import static dev.typedoutbox.example.generated.Tables.SHIPMENTS;
import static org.jooq.impl.DSL.any;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.noCondition;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.sum;
import static org.jooq.impl.DSL.table;

import dev.typedoutbox.example.CountingConsumer.Deliveries;
import dev.typedoutbox.example.orders.OrderApplication;
import java.math.BigDecimal;
import java.util.List;
import java.util.UUID;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** Asks database and counters how far the orders of this run have come. */
final class FigureCollector {
    private static final Table<Record> OUTBOX = table(name("outbox_events"));
    private static final Table<Record> APPLIED = table(name("processed_events"));
    private static final Field<UUID> ID = field(name("id"), UUID.class);
    private static final Field<UUID> EVENT_ID = field(name("event_id"), UUID.class);

    private final DSLContext dsl;
    private final Deliveries deliveries;
    private final DuplicateMaker duplicates;
    private final List<ScriptedOrder> script;
    private final List<String> orderIds;

    FigureCollector(
            DSLContext dsl,
            Deliveries deliveries,
            DuplicateMaker duplicates,
            List<ScriptedOrder> script,
            List<String> orderIds) {
        this.dsl = dsl;
        this.deliveries = deliveries;
        this.duplicates = duplicates;
        this.script = script;
        this.orderIds = orderIds;
    }

    Figures collect() {
        return new Figures(
                script.size(),
                orderIds.size(),
                script.stream().mapToLong(order -> order.happens().size()).sum(),
                events(noCondition()),
                events(field(name("processed_at")).isNotNull()),
                duplicates.messagesSeen(orderIds),
                duplicates.copiesMade(orderIds),
                deliveries.all().of(orderIds),
                applied(),
                deliveries.duplicates().of(orderIds),
                deliveries.failed().of(orderIds),
                violations(),
                dsl.fetchCount(SHIPMENTS, ofThisRun()));
    }

    private long events(Condition condition) {
        return dsl.fetchCount(OUTBOX, eventsOfThisRun().and(condition));
    }

    private long applied() {
        return dsl.fetchCount(
                APPLIED,
                field(name("consumer"), String.class)
                        .eq(OrderApplication.CONSUMER)
                        .and(EVENT_ID.in(select(ID).from(OUTBOX).where(eventsOfThisRun()))));
    }

    private long violations() {
        BigDecimal violations = dsl.select(sum(SHIPMENTS.OUT_OF_ORDER))
                .from(SHIPMENTS)
                .where(ofThisRun())
                .fetchSingle()
                .value1();
        return violations == null ? 0 : violations.longValueExact();
    }

    private Condition eventsOfThisRun() {
        return field(name("aggregate_type"), String.class)
                .eq("order")
                .and(field(name("aggregate_id"), String.class).eq(any(orderIds.toArray(String[]::new))));
    }

    private Condition ofThisRun() {
        return SHIPMENTS.ORDER_ID.eq(any(orderIds.stream().map(UUID::fromString).toArray(UUID[]::new)));
    }
}
