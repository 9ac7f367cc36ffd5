package dev.typedoutbox.benchmark.peers.modulith;

/**
 * What the application publishes; Jackson writes it to the table.
 *
 * @param number tells the events apart: the registry looks them up by equality
 * @param type the event's type
 * @param payload its JSON
 */
record OrderPlaced(long number, String type, String payload) {}
