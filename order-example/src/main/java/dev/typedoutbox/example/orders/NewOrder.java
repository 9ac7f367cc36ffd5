package dev.typedoutbox.example.orders;

import static dev.typedoutbox.example.generated.Tables.ORDERS;

import dev.typedoutbox.example.generated.enums.OrderStatus;
import dev.typedoutbox.example.generated.tables.records.OrdersRecord;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Currency;
import java.util.List;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** What a customer asks for. */
record NewOrder(
        String customer,
        Currency currency,
        List<Item> items,
        @Nullable String note) {
    BigDecimal total() {
        return items.stream()
                .map(Item::amount)
                .reduce(BigDecimal.ZERO, BigDecimal::add)
                .setScale(currency.getDefaultFractionDigits());
    }

    OrdersRecord toRow(DSLContext tx) {
        return tx.newRecord(ORDERS)
                .setId(UUID.randomUUID())
                .setCustomer(customer)
                .setCurrency(currency.getCurrencyCode())
                .setTotal(total())
                .setItems(Json.toJsonb(items))
                .setNote(note)
                .setStatus(OrderStatus.created)
                .setPlacedAt(Instant.now().truncatedTo(ChronoUnit.MICROS));
    }
}
