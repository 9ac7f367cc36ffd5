package dev.typedoutbox.recipes.jpa;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;

/** The orders, and the stock that they are taken from. */
interface OrderRepository extends JpaRepository<Order, String> {
    @Modifying
    @Query(
            value =
                    "update stock set quantity = quantity - :quantity where product = :product and quantity >= :quantity",
            nativeQuery = true)
    int takeFromStock(String product, int quantity);
}
