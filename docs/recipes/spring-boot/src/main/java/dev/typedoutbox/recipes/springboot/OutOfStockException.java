package dev.typedoutbox.recipes.springboot;

/** There is less in stock than was ordered. */
final class OutOfStockException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutOfStockException(Order order) {
        super("out of stock: " + order.product());
    }
}
