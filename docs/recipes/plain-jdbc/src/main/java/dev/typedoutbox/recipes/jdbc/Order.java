package dev.typedoutbox.recipes.jdbc;

/** What a customer ordered; also the payload of the event. */
record Order(String id, String product, int quantity) {}
