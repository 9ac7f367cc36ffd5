package dev.typedoutbox.recipes.springboot;

import org.jooq.DSLContext;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What can be ordered. */
@Service
class Stock {
    private final DSLContext dsl;

    Stock(DSLContext dsl) {
        this.dsl = dsl;
    }

    @Transactional
    public void take(Order order) {
        int taken = dsl.execute(
                "update stock set quantity = quantity - ? where product = ? and quantity >= ?",
                order.quantity(),
                order.product(),
                order.quantity());
        if (taken == 0) {
            throw new OutOfStockException(order);
        }
    }
}
