package dev.typedoutbox.recipes.jpa;

/** The payload of the event: what others are told, whatever becomes of the entity. */
record OrderPlaced(String id, String product, int quantity) {
    static OrderPlaced of(Order order) {
        return new OrderPlaced(order.id(), order.product(), order.quantity());
    }
}
