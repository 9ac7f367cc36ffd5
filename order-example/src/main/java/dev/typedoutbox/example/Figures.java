package dev.typedoutbox.example;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What the run has come to.
 *
 * @param ordersInFile orders that were to be placed
 * @param ordersPlaced orders that the service accepted
 * @param eventsInFile steps that were to happen to them
 * @param written rows in the outbox
 * @param published rows that are marked as confirmed by the broker
 * @param seen messages that passed the maker of duplicates
 * @param copies messages that it sent again
 * @param delivered deliveries to the consumer
 * @param applied records of applied events
 * @param dropped deliveries recognised as duplicates
 * @param failed deliveries that failed and came again
 * @param violations events applied before an earlier one of their order
 * @param shipments shipments of the orders placed
 */
record Figures(
        long ordersInFile,
        long ordersPlaced,
        long eventsInFile,
        long written,
        long published,
        long seen,
        long copies,
        long delivered,
        long applied,
        long dropped,
        long failed,
        long violations,
        long shipments) {

    /** The first figure that is not what it must be. */
    Optional<String> disagreement() {
        return Stream.of(
                        must(
                                ordersPlaced == ordersInFile,
                                "orders placed",
                                ordersPlaced,
                                "orders in the file",
                                ordersInFile),
                        must(written == eventsInFile, "events written", written, "steps in the file", eventsInFile),
                        must(published == written, "events published", published, "events written", written),
                        must(seen >= published, "messages seen", seen, "at least events published", published),
                        must(applied == written, "events applied", applied, "events written", written),
                        must(dropped >= copies, "duplicates dropped", dropped, "at least copies made", copies),
                        must(
                                delivered == applied + dropped + failed,
                                "deliveries",
                                delivered,
                                "applied + dropped + failed",
                                applied + dropped + failed),
                        must(violations == 0, "order violations", violations, "none", 0),
                        must(shipments == ordersPlaced, "shipments", shipments, "orders placed", ordersPlaced))
                .flatMap(Optional::stream)
                .findFirst();
    }

    String progress() {
        return String.format(Locale.ROOT, "%,d of %,d events published, %,d applied", published, eventsInFile, applied);
    }

    String table(double seconds) {
        return String.join(
                System.lineSeparator(),
                "",
                row("orders placed", ordersPlaced, "each with its event in one transaction"),
                row("events written", written, "rows in outbox_events"),
                row("events published", published, "marked after the broker's confirmation"),
                row(
                        "deliveries",
                        delivered,
                        failed == 0 ? "to the consumer" : failed + " of them failed and came again"),
                row("events applied", applied, "rows in processed_events"),
                row("duplicates dropped", dropped, String.format(Locale.ROOT, "%,d copies made on purpose", copies)),
                row("order violations", violations, "events applied before an earlier one of their order"),
                row("shipments", shipments, "written by the consumer"),
                String.format(Locale.ROOT, "  %-20s %8.1f", "seconds", seconds),
                "");
    }

    private static String row(String name, long value, String meaning) {
        return String.format(Locale.ROOT, "  %-20s %,8d  %s", name, value, meaning);
    }

    private static Optional<String> must(boolean agrees, String name, long value, String rule, long other) {
        return agrees
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT, "figures must agree: %s must be %s, %,d (was %,d)", name, rule, other, value));
    }
}
