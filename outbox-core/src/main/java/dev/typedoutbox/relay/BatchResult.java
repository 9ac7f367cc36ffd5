package dev.typedoutbox.relay;

/**
 * What one batch did.
 *
 * @param fetched how many events it took from the outbox; those that are in none of the counts below were not sent, since
 *     an earlier one of their aggregate was not confirmed or the time was up, and stay as they were
 * @param published how many of them the broker confirmed; they are marked as processed
 * @param refused how many of them the broker refused, or were too large or unreadable, or could not be marked; an
 *     attempt is counted for each
 * @param dead how many of the refused became dead letters
 * @param unknown how many of them nothing is known about, or whose rows the database would not change; they stay as they
 *     were
 * @since 0.1.0
 */
public record BatchResult(int fetched, int published, int refused, int dead, int unknown) {
    BatchResult withGivenUp(int unsent) {
        return new BatchResult(fetched + unsent, published, refused + unsent, dead + unsent, unknown);
    }

    BatchResult withUnknown(int more) {
        return new BatchResult(fetched + more, published, refused, dead, unknown + more);
    }
}
