/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.log;

import ch.qos.logback.classic.Level;
import dev.elasticrun.cli.text.PlainText;
import java.time.Instant;
import java.time.ZoneId;

/**
 * {@code 2026-01-02T03:04:05.678+01:00 LEVEL message}, and the stack of an exception below it. Pure.
 *
 * @param colours whether the level has a colour
 */
record TextStyle(ZoneId zone, boolean colours) implements LogStyle {
    private static final int MAX_MESSAGE = 8192;
    private static final int MAX_STACK = 64 * 1024;

    private static final String RED = "\u001b[31;1m";
    private static final String YELLOW = "\u001b[33;1m";
    private static final String GREEN = "\u001b[32m";
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";

    @Override
    public String line(Instant time, Level level, String message, String stack) {
        StringBuilder line = new StringBuilder(160);
        Timestamp.append(line, time, zone);
        line.append(' ');
        if (colours) {
            line.append(colour(level)).append(level).append(PLAIN);
        } else {
            line.append(level);
        }
        line.append(' ').append(PlainText.block(message, MAX_MESSAGE)).append(System.lineSeparator());
        if (!stack.isEmpty()) {
            line.append("    ").append(PlainText.block(stack, MAX_STACK)).append(System.lineSeparator());
        }
        return line.toString();
    }

    private static String colour(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> RED;
            case Level.WARN_INT -> YELLOW;
            case Level.INFO_INT -> GREEN;
            default -> DIM;
        };
    }
}
