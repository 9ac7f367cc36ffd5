package dev.typedoutbox.example.orders;

import java.math.BigDecimal;

/** Some pieces of one article, each at the price given. */
record Item(String article, int quantity, BigDecimal price) {
    BigDecimal amount() {
        return price.multiply(BigDecimal.valueOf(quantity));
    }
}
