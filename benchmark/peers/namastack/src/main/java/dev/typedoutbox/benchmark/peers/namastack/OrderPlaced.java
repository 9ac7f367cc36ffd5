package dev.typedoutbox.benchmark.peers.namastack;

/**
 * What the application schedules; Jackson writes it to the table.
 *
 * @param type the event's type
 * @param payload its JSON
 */
record OrderPlaced(String type, String payload) {}
