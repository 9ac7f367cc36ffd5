package dev.typedoutbox.standalone;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that somebody most likely meant. */
final class Nearest {
    private Nearest() {}

    /** Of those that differ by less than half of their letters, the one that differs least. */
    static Optional<String> to(String name, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(name, candidate)))
                .filter(candidate -> distance(name, candidate) * 2 < candidate.length());
    }

    /** How an error goes on that names it; empty if there is none. */
    static String hint(String name, Collection<String> known) {
        return to(name, known).map(Nearest::hint).orElse("");
    }

    static String hint(String nearest) {
        return ": did you mean " + nearest + "?";
    }

    /** How many letters have to be put in, left out or changed. */
    private static int distance(String from, String to) {
        int[] previous = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] current = new int[to.length() + 1];
            current[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int change = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
                current[column] =
                        Math.min(previous[column - 1] + change, Math.min(previous[column], current[column - 1]) + 1);
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
