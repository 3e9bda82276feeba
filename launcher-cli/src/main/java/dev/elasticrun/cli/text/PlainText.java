/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.text;

import java.util.Locale;

/**
 * Text of workers and other nodes for a terminal: nothing in it moves the cursor, sets a title or begins a line. What would
 * is written as Java writes it in a string. Pure.
 */
public final class PlainText {
    private static final char ESCAPE = '\u001b';

    private PlainText() {}

    /** A text that is to be one line. */
    public static String line(String text) {
        return plain(text, false);
    }

    /** The same, but colours stay: {@code ESC [ numbers m}. */
    public static String colouredLine(String text) {
        return plain(text, true);
    }

    /** A text that may have several lines: all but the first are indented, so that none passes for the writer's own. */
    public static String block(String text, int maxLength) {
        String cut = text.length() <= maxLength
                ? text
                : text.substring(0, maxLength) + " ... (" + (text.length() - maxLength) + " characters more)";
        if (cut.indexOf('\n') < 0) {
            return line(cut);
        }
        StringBuilder lines = new StringBuilder(cut.length() + 64);
        for (String line : cut.split("\r?\n", -1)) {
            lines.append(lines.length() == 0 ? "" : System.lineSeparator() + "    ")
                    .append(line(line));
        }
        return lines.toString();
    }

    private static String plain(String text, boolean coloured) {
        int first = 0;
        while (first < text.length() && !acts(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char next = text.charAt(i);
            int colour = coloured && next == ESCAPE ? endOfColour(text, i) : i;
            if (colour > i) {
                plain.append(text, i, colour);
                i = colour - 1;
            } else if (acts(next)) {
                plain.append(escaped(next));
            } else {
                plain.append(next);
            }
        }
        return plain.toString();
    }

    private static int endOfColour(String text, int begin) {
        if (begin + 1 >= text.length() || text.charAt(begin + 1) != '[') {
            return begin;
        }
        int end = begin + 2;
        while (end < text.length() && "0123456789;:".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return end < text.length() && text.charAt(end) == 'm' ? end + 1 : begin;
    }

    /** Control characters but for the tab, separators of lines, and what changes the direction of writing. */
    private static boolean acts(char one) {
        boolean control = one < ' ' || (one >= 0x7f && one < 0xa0);
        boolean separatesOrTurns = (one >= 0x2028 && one <= 0x202e) || (one >= 0x2066 && one <= 0x2069);
        return (control && one != '\t') || separatesOrTurns;
    }

    private static String escaped(char one) {
        return switch (one) {
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            default -> String.format(Locale.ROOT, "\\u%04x", (int) one);
        };
    }
}
