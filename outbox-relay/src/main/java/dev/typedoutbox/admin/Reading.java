package dev.typedoutbox.admin;

import dev.typedoutbox.status.StatusReport;
import dev.typedoutbox.status.TypeCount;
import java.util.List;

/**
 * What the database told at one time.
 *
 * @param atMillis when it was asked, by this machine's clock, which the plots go by
 * @param report how the outbox did
 * @param types the types of what was pending, the most frequent first
 */
record Reading(long atMillis, StatusReport report, List<TypeCount> types) {
    Reading {
        types = List.copyOf(types);
    }
}
