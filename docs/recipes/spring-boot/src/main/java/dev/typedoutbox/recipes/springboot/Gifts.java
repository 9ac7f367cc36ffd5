package dev.typedoutbox.recipes.springboot;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import org.jooq.DSLContext;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What comes along with an order, if there is enough of it. */
@Service
class Gifts {
    private final DSLContext dsl;
    private final Outbox outbox;
    private final Stock stock;

    Gifts(DSLContext dsl, Outbox outbox, Stock stock) {
        this.dsl = dsl;
        this.outbox = outbox;
        this.stock = stock;
    }

    @Transactional(propagation = Propagation.NESTED)
    public void add(Order gift) {
        dsl.execute("insert into orders values (?, ?, ?)", gift.id(), gift.product(), gift.quantity());
        outbox.publish(dsl, NewEvent.of("order", gift.id(), "order.placed", gift));
        stock.take(gift);
    }
}
