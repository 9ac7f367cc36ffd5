package dev.typedoutbox.recipes.jpa;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** What a customer ordered. */
@Entity
@Table(name = "orders")
class Order {
    @Id
    private String id;

    private String product;
    private int quantity;

    /** For Hibernate. */
    protected Order() {}

    Order(String id, String product, int quantity) {
        this.id = id;
        this.product = product;
        this.quantity = quantity;
    }

    String id() {
        return id;
    }

    String product() {
        return product;
    }

    int quantity() {
        return quantity;
    }
}
