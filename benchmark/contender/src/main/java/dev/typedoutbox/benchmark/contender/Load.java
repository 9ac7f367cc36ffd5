package dev.typedoutbox.benchmark.contender;

/**
 * Events to write as time goes by.
 *
 * @param events what to write
 * @param perSecond how many events a second, or 0 for as many as can be
 * @param perTransaction how many in each transaction
 * @param threads how many write at once; each has aggregates of its own, so that the numbers of an aggregate ascend
 */
public record Load(Backlog events, double perSecond, int perTransaction, int threads) {
    /**
     * The load as the arguments of the command {@code emit}.
     *
     * @return the words
     */
    public String toWords() {
        return events.events() + " " + events.payloadBytes() + " " + events.aggregates() + " " + perSecond + " "
                + perTransaction + " " + threads;
    }

    static Load parse(String[] words) {
        return new Load(
                new Backlog(Long.parseLong(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3])),
                Double.parseDouble(words[4]),
                Integer.parseInt(words[5]),
                Integer.parseInt(words[6]));
    }
}
