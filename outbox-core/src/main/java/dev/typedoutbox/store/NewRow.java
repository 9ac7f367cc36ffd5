package dev.typedoutbox.store;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A checked event on its way into the table; payload and headers are JSON text. */
public record NewRow(
        UUID id,
        String aggregateType,
        String aggregateId,
        String eventType,
        String payload,
        @Nullable String headers) {}
