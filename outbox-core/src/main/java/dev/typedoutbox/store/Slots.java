package dev.typedoutbox.store;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.val;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jooq.Field;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** Slots to look at, each from some number on: below it nothing is left to be sent. */
public final class Slots {
    /** The number of all slots, as the migration computes them. */
    public static final int COUNT = 64;

    static final Field<Short> SLOT = field(name("slots", "slot"), SQLDataType.SMALLINT);
    static final Field<Long> FLOOR = field(name("slots", "floor"), SQLDataType.BIGINT);

    /** Those of a run of a query, whose first two values are {@link #numbers} and {@link #floors}. */
    static final Table<?> GIVEN = table(
            RenderedQuery.variable(0, SQLDataType.SMALLINT.array()),
            RenderedQuery.variable(1, SQLDataType.BIGINT.array()));

    private final List<Short> slots;
    private final List<Long> floors;

    private Slots(List<Short> slots, List<Long> floors) {
        this.slots = slots;
        this.floors = floors;
    }

    /** All slots, from zero on. */
    public static Slots all() {
        return all(Collections.nCopies(COUNT, 0L));
    }

    /**
     * All slots.
     *
     * @param floors one for each slot
     */
    public static Slots all(List<Long> floors) {
        return new Slots(
                IntStream.range(0, COUNT).mapToObj(slot -> (short) slot).toList(), floors);
    }

    /** Those of these that are listed. */
    public Slots only(List<Short> listed) {
        return where(listed, true);
    }

    /** Those of these that are not listed. */
    public Slots without(List<Short> listed) {
        return where(listed, false);
    }

    private Slots where(List<Short> listed, boolean in) {
        List<Short> someSlots = new ArrayList<>();
        List<Long> someFloors = new ArrayList<>();
        for (int i = 0; i < slots.size(); i++) {
            if (listed.contains(slots.get(i)) == in) {
                someSlots.add(slots.get(i));
                someFloors.add(floors.get(i));
            }
        }
        return new Slots(someSlots, someFloors);
    }

    /** These in another order, by chance. */
    Slots shuffled() {
        List<Integer> order = IntStream.range(0, slots.size()).boxed().collect(Collectors.toCollection(ArrayList::new));
        Collections.shuffle(order, ThreadLocalRandom.current());
        return new Slots(
                order.stream().map(slots::get).toList(),
                order.stream().map(floors::get).toList());
    }

    public boolean isEmpty() {
        return slots.isEmpty();
    }

    int size() {
        return slots.size();
    }

    /** The columns are {@link #SLOT} and {@link #FLOOR}. */
    Table<?> asTable() {
        return table(numbers(), floors());
    }

    Field<Short[]> numbers() {
        return val(slots.toArray(Short[]::new), SQLDataType.SMALLINT.array());
    }

    Field<Long[]> floors() {
        return val(floors.toArray(Long[]::new), SQLDataType.BIGINT.array());
    }

    private static Table<?> table(Field<Short[]> numbers, Field<Long[]> floors) {
        // jOOQ has no unnest of several arrays.
        return DSL.table("unnest({0}, {1})", numbers, floors).as("slots", "slot", "floor");
    }
}
