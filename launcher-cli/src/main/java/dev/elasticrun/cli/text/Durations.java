/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import java.util.Locale;

/** Formats durations for users. Pure. */
public final class Durations {
    private static final long SECOND = 1000;
    private static final long MINUTE = 60 * SECOND;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;

    private Durations() {}

    /** The same of one that is chosen: "1500 ms", "90 s", "10 min", "3 h". */
    public static String exact(long millis) {
        if (millis % SECOND != 0) {
            return millis + " ms";
        } else if (millis % MINUTE != 0) {
            return millis / SECOND + " s";
        }
        return millis % HOUR != 0 ? millis / MINUTE + " min" : millis / HOUR + " h";
    }

    /** "80 ms", "2.5 s", "4 min 10 s", "3 h 5 min", "2 d 4 h". */
    public static String text(long millis) {
        if (millis < SECOND) {
            return millis + " ms";
        } else if (millis < MINUTE) {
            return String.format(Locale.ROOT, "%.1f s", millis / (double) SECOND);
        } else if (millis < HOUR) {
            return millis / MINUTE + " min " + millis % MINUTE / SECOND + " s";
        } else if (millis < DAY) {
            return millis / HOUR + " h " + millis % HOUR / MINUTE + " min";
        }
        return millis / DAY + " d " + millis % DAY / HOUR + " h";
    }
}
