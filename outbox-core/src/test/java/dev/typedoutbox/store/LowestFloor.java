package dev.typedoutbox.store;

import static org.jooq.impl.DSL.min;

import org.jooq.DSLContext;

/** The number below which no slot has anything to be sent, as a fetch would see it. */
public final class LowestFloor {
    private LowestFloor() {}

    public static long of(DSLContext dsl, Slots slots) {
        return dsl.select(min(Slots.FLOOR)).from(slots.asTable()).fetchSingle().value1();
    }
}
