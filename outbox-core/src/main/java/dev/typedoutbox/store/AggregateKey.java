package dev.typedoutbox.store;

/** Names one aggregate, the unit within which order holds. */
public record AggregateKey(String type, String id) {}
