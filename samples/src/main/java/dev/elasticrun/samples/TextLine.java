/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

/**
 * A line of a data file, which knows how to complain.
 *
 * @param number 1-based
 */
record TextLine(String file, long number, String text) {
    private static final int SHOWN = 40;

    /** A finite number that a float can hold, in decimal notation. */
    float real(String cell, String expected) {
        String stripped = cell.strip();
        try {
            float value = Float.parseFloat(stripped);
            if (Float.isFinite(value) && isDecimal(stripped)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with what is no number for a data file.
        }
        throw bad(expected, quoted(cell));
    }

    DataFileException bad(String expected, String found) {
        return new DataFileException(
                "data file " + file + " line " + number + ": expected " + expected + ", found " + found);
    }

    static String quoted(String cell) {
        return "'" + (cell.length() > SHOWN ? cell.substring(0, SHOWN) + "..." : cell) + "'";
    }

    /** Java also reads hexadecimal numbers, and numbers with the suffix of their type. */
    private static boolean isDecimal(String number) {
        return number.chars().allMatch(c -> (c >= '0' && c <= '9') || ".+-eE".indexOf(c) >= 0);
    }
}
