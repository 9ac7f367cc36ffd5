package dev.typedoutbox.benchmark.contender;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** The JSON of an event: its number, and random text that no database compresses to nothing. */
public final class Payload {
    private static final String NUMBER = "event_number";
    // Longer than the other key, so that PostgreSQL's jsonb leaves the order as it is.
    private static final String HEAD = "{\"" + NUMBER + "\": ";
    private static final String MIDDLE = ", \"random_filling\": \"";
    private static final String TAIL = "\"}";

    private static final byte[] MARK = NUMBER.getBytes(StandardCharsets.US_ASCII);
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    private static final int VARIETY = 1 << 16;
    private static final String TEXT = text(VARIETY + (1 << 20));

    private Payload() {}

    /**
     * Makes a payload.
     *
     * @param number the event's number
     * @param bytes its size; a smaller one than needed is exceeded
     * @return JSON in ASCII, in the form in which PostgreSQL prints jsonb
     */
    public static String of(long number, int bytes) {
        String head = HEAD + number + MIDDLE;
        int filling = Math.max(0, bytes - head.length() - TAIL.length());
        int from = (int) (number * 7919 % VARIETY);
        return head + TEXT.substring(from, from + filling) + TAIL;
    }

    /**
     * Reads an event's number from a message that contains the payload somewhere, as it is or escaped.
     *
     * @param body the message
     * @return the number
     * @throws IllegalArgumentException if there is none
     */
    public static long number(byte[] body) {
        for (int i = 0; i + MARK.length < body.length; i++) {
            if (isMarkAt(body, i)) {
                return digits(body, i + MARK.length);
            }
        }
        throw new IllegalArgumentException(
                "message must contain " + NUMBER + " (was " + new String(body, StandardCharsets.UTF_8) + ")");
    }

    private static boolean isMarkAt(byte[] body, int at) {
        for (int i = 0; i < MARK.length; i++) {
            if (body[at + i] != MARK[i]) {
                return false;
            }
        }
        return true;
    }

    private static long digits(byte[] body, int from) {
        int i = from;
        while (i < body.length && !isDigit(body[i])) {
            i++;
        }
        long number = 0;
        for (; i < body.length && isDigit(body[i]); i++) {
            number = number * 10 + body[i] - '0';
        }
        return number;
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static String text(int length) {
        Random random = new Random(4711);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return text.toString();
    }
}
