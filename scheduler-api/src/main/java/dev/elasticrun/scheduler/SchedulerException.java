/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import java.util.List;

/**
 * A scheduler cannot do what it was asked for. Each line names what is wrong and what was expected, the scheduler's own words
 * included; if something is left of what was begun, the last line names the command that removes it.
 */
public final class SchedulerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<String> lines;

    public SchedulerException(List<String> lines) {
        super(String.join("; ", lines));
        this.lines = List.copyOf(lines);
    }

    /** One value that is wrong. */
    public static SchedulerException of(String name, String value, String expected) {
        return new SchedulerException(List.of(line(name, value, expected)));
    }

    /** The line for one value that is wrong, where there may be others. */
    public static String line(String name, String value, String expected) {
        return name + ": " + value + " (expected: " + expected + ")";
    }

    /** At least one. */
    public List<String> lines() {
        return lines;
    }
}
