/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.time.Instant;
import java.time.LocalDate;

/**
 * Reads instants as {@link Instant#toString} writes them. The parser of the library, which is for any format, loads and
 * compiles much at its first calls in a JVM; workers read their first instants while all others wait for them.
 */
final class IsoInstant {
    private static final String SHAPE = "0000-00-00T00:00:00";
    private static final int MAX_FRACTION = 9;

    private IsoInstant() {}

    /** Accepts what {@link Instant#parse} accepts; throws DateTimeException at all else. */
    static Instant parse(String text) {
        int end = text.length() - 1;
        if (!hasShape(text) || text.charAt(end) != 'Z') {
            return Instant.parse(text);
        }
        int hour = number(text, 11, 13);
        int minute = number(text, 14, 16);
        int second = number(text, 17, 19);
        int fraction = end - SHAPE.length() - 1;
        if (hour > 23 || minute > 59 || second > 59 || fraction == 0 || fraction > MAX_FRACTION) {
            return Instant.parse(text);
        }
        int nanos = 0;
        if (fraction > 0) {
            int from = SHAPE.length() + 1;
            if (text.charAt(from - 1) != '.' || !isNumber(text, from, end)) {
                return Instant.parse(text);
            }
            nanos = number(text, from, end);
            for (int i = fraction; i < MAX_FRACTION; i++) {
                nanos *= 10;
            }
        }
        long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
                .toEpochDay();
        return Instant.ofEpochSecond(((day * 24 + hour) * 60 + minute) * 60 + second, nanos);
    }

    private static boolean hasShape(String text) {
        if (text.length() <= SHAPE.length()) {
            return false;
        }
        for (int i = 0; i < SHAPE.length(); i++) {
            char wanted = SHAPE.charAt(i);
            if (wanted == '0' ? !isNumber(text, i, i + 1) : text.charAt(i) != wanted) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNumber(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }
}
