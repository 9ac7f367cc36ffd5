package dev.typedoutbox.benchmark.harness;

/**
 * Something that is measured.
 *
 * @param name what it is
 * @param unit its unit
 * @param decimals how many are shown
 */
record Figure(String name, String unit, int decimals) {
    static final Figure RATE = new Figure("rate", "events/s", 0);

    /** The processor time of a part of the machinery. */
    static Figure processors(String part) {
        return new Figure("processors: " + part, "us an event", 1);
    }
}
