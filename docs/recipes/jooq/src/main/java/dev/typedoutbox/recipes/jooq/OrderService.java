package dev.typedoutbox.recipes.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.table;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;

/** Orders, each with its event in one transaction. */
final class OrderService {
    private static final Table<Record> ORDERS = table(name("orders"));
    private static final Table<Record> STOCK = table(name("stock"));
    private static final Field<String> ID = field(name("id"), String.class);
    private static final Field<String> PRODUCT = field(name("product"), String.class);
    private static final Field<Integer> QUANTITY = field(name("quantity"), Integer.class);

    private final DSLContext dsl;
    private final Outbox outbox = Outbox.create();

    OrderService(DSLContext dsl) {
        this.dsl = dsl;
    }

    void place(Order order) {
        dsl.transaction(tx -> {
            insert(tx.dsl(), order);
            outbox.publish(tx, NewEvent.of("order", order.id(), "order.placed", order));
            takeFromStock(tx.dsl(), order);
        });
    }

    /** A gift that is out of stock is left out, and its event with it. */
    void placeWithGift(Order order, Order gift) {
        dsl.transaction(tx -> {
            insert(tx.dsl(), order);
            outbox.publish(tx, NewEvent.of("order", order.id(), "order.placed", order));
            takeFromStock(tx.dsl(), order);
            try {
                tx.dsl().transaction(savepoint -> add(savepoint, gift));
            } catch (OutOfStockException e) {
                outbox.publish(tx, NewEvent.of("order", order.id(), "order.gift-missing", gift));
            }
        });
    }

    private void add(Configuration savepoint, Order gift) {
        insert(savepoint.dsl(), gift);
        outbox.publish(savepoint, NewEvent.of("order", gift.id(), "order.placed", gift));
        takeFromStock(savepoint.dsl(), gift);
    }

    private static void insert(DSLContext tx, Order order) {
        tx.insertInto(ORDERS, ID, PRODUCT, QUANTITY)
                .values(order.id(), order.product(), order.quantity())
                .execute();
    }

    private static void takeFromStock(DSLContext tx, Order order) {
        int taken = tx.update(STOCK)
                .set(QUANTITY, QUANTITY.minus(order.quantity()))
                .where(PRODUCT.eq(order.product()))
                .and(QUANTITY.ge(order.quantity()))
                .execute();
        if (taken == 0) {
            throw new OutOfStockException(order);
        }
    }
}
