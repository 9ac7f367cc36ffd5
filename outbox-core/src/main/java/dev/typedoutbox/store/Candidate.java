package dev.typedoutbox.store;

import java.util.UUID;

/**
 * A row that may be sent, not locked yet.
 *
 * @param bytes the payload's size, known without reading it
 */
public record Candidate(UUID id, AggregateKey aggregate, int bytes) {}
