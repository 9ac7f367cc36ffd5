package dev.typedoutbox.example.orders;

import java.math.BigDecimal;
import java.util.Currency;
import java.util.List;

/** Reads an order from the body of a request, and says what is wrong with it. */
final class OrderReader {
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_NOTE = 500;
    private static final int MOST_ITEMS = 100;
    private static final int MOST_PIECES = 10_000;

    private OrderReader() {}

    static NewOrder read(byte[] body) {
        JsonFields order = JsonFields.ofBody(body);
        String customer = order.text("customer", LONGEST_NAME);
        Currency currency = currency(order);
        List<Item> items = order.objects("items", MOST_ITEMS).stream()
                .map(item -> item(item, currency))
                .toList();
        return new NewOrder(customer, currency, items, order.textOrNull("note", LONGEST_NOTE));
    }

    private static Currency currency(JsonFields order) {
        try {
            Currency currency = Currency.getInstance(order.code("currency"));
            if (currency.getDefaultFractionDigits() >= 0) {
                return currency;
            }
        } catch (IllegalArgumentException e) {
            // The same answer as for what is no code at all, and for the codes that are no money, such as XAU.
        }
        throw order.broken("currency", "an ISO 4217 code such as EUR");
    }

    private static Item item(JsonFields item, Currency currency) {
        String article = item.text("article", LONGEST_NAME);
        int quantity = item.wholeNumber("quantity", MOST_PIECES);
        BigDecimal price = item.price("price", currency);
        return new Item(article, quantity, price);
    }
}
