package dev.typedoutbox.store;

import java.util.UUID;

/** A row that is to be given up without being read: as much of it as the log tells. */
public record UnreadEvent(UUID id, AggregateKey aggregate, String eventType, int attempts) {}
