package dev.typedoutbox.recipes.jpa;

import dev.typedoutbox.NewEvent;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Orders, each with its event in one transaction. */
@Service
class OrderService {
    private final OrderRepository orders;
    private final JpaOutbox outbox;

    OrderService(OrderRepository orders, JpaOutbox outbox) {
        this.orders = orders;
        this.outbox = outbox;
    }

    @Transactional
    public void place(Order order) {
        orders.save(order);
        outbox.publish(NewEvent.of("order", order.id(), "order.placed", OrderPlaced.of(order)));
        if (orders.takeFromStock(order.product(), order.quantity()) == 0) {
            throw new OutOfStockException(order);
        }
    }
}
