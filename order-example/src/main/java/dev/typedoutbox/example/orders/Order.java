package dev.typedoutbox.example.orders;

import dev.typedoutbox.example.generated.tables.records.OrdersRecord;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order as the API shows it and as its events carry it. */
record Order(
        UUID id,
        String status,
        String customer,
        String currency,
        BigDecimal total,
        List<Item> items,
        @Nullable String note,
        Instant placedAt) {
    static Order of(OrdersRecord row) {
        return new Order(
                row.getId(),
                row.getStatus().getLiteral(),
                row.getCustomer(),
                row.getCurrency(),
                row.getTotal(),
                Json.toItems(row.getItems()),
                row.getNote(),
                row.getPlacedAt());
    }
}
