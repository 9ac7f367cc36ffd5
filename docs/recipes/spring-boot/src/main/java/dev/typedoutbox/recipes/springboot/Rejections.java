package dev.typedoutbox.recipes.springboot;

import dev.typedoutbox.NewEvent;
import dev.typedoutbox.Outbox;
import org.jooq.DSLContext;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What is told of an order that is not placed. */
@Service
class Rejections {
    private final DSLContext dsl;
    private final Outbox outbox;

    Rejections(DSLContext dsl, Outbox outbox) {
        this.dsl = dsl;
        this.outbox = outbox;
    }

    @Transactional(propagation = Propagation.REQUIRES_NEW)
    public void tell(Order order) {
        outbox.publish(dsl, NewEvent.of("order", order.id(), "order.rejected", order));
    }
}
