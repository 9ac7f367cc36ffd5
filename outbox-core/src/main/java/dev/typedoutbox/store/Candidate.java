package dev.typedoutbox.store;

import java.util.UUID;

/**
 * A row that may be sent, not locked yet.
 *
 * @param bytes the size of payload and headers as text, known without reading them
 */
public record Candidate(UUID id, AggregateKey aggregate, int bytes) {}
