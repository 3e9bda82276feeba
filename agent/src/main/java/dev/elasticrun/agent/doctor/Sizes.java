/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.doctor;

import java.util.Locale;

/** Formats numbers of bytes. Pure. */
final class Sizes {
    private static final String[] UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    private static final double STEP = 1024;

    private Sizes() {}

    static String text(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= STEP && unit < UNITS.length - 1) {
            value /= STEP;
            unit++;
        }
        return unit == 0 ? bytes + " " + UNITS[0] : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }
}
