package dev.typedoutbox.standalone;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;

/** Says in one line why something failed. */
final class Reason {
    private static final int MOST_CAUSES = 20;

    private Reason() {}

    /** The failure's own words, or else its cause's, or else its name. */
    static String of(Throwable failure) {
        return causes(failure).stream()
                .map(Reason::words)
                .filter(words -> !words.isEmpty())
                .findFirst()
                .orElse(failure.getClass().getSimpleName());
    }

    /** The words of what began it. */
    static String ofRoot(Throwable failure) {
        List<Throwable> causes = causes(failure);
        for (int i = causes.size() - 1; i >= 0; i--) {
            String words = words(causes.get(i));
            if (!words.isEmpty()) {
                return words;
            }
        }
        return failure.getClass().getSimpleName();
    }

    /** The failure and its causes, which somebody may have made into a circle. */
    static List<Throwable> causes(Throwable failure) {
        List<Throwable> causes = new ArrayList<>();
        for (Throwable cause = failure; cause != null && causes.size() < MOST_CAUSES; cause = cause.getCause()) {
            causes.add(cause);
        }
        return causes;
    }

    private static String words(Throwable failure) {
        // Their message is the name of the file alone.
        if (failure instanceof NoSuchFileException) {
            return "no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "not allowed";
        }
        String message = failure.getMessage();
        return message == null ? "" : message.strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
    }
}
