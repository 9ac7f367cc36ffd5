package dev.typedoutbox.recipes.springboot;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import org.jooq.DSLContext;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Orders, each with its event in one transaction. */
@Service
class OrderService {
    private final DSLContext dsl;
    private final Outbox outbox;
    private final Stock stock;
    private final Gifts gifts;
    private final Rejections rejections;

    OrderService(DSLContext dsl, Outbox outbox, Stock stock, Gifts gifts, Rejections rejections) {
        this.dsl = dsl;
        this.outbox = outbox;
        this.stock = stock;
        this.gifts = gifts;
        this.rejections = rejections;
    }

    @Transactional
    public void place(Order order) {
        dsl.execute("insert into orders values (?, ?, ?)", order.id(), order.product(), order.quantity());
        outbox.publish(dsl, NewEvent.of("order", order.id(), "order.placed", order));
        stock.take(order); // REQUIRED: when this throws, neither the order nor its event is there
    }

    @Transactional
    public void placeWithGift(Order order, Order gift) {
        place(order);
        try {
            gifts.add(gift); // NESTED: when this throws, the gift and its event are not there
        } catch (OutOfStockException e) {
            outbox.publish(dsl, NewEvent.of("order", order.id(), "order.gift-missing", gift));
        }
    }

    @Transactional
    public void placeOrReject(Order order) {
        try {
            place(order);
        } catch (OutOfStockException e) {
            rejections.tell(order); // REQUIRES_NEW: there, whatever becomes of this transaction
            throw e;
        }
    }
}
