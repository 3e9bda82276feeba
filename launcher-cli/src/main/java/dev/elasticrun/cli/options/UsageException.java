/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import java.util.List;

/** The command line cannot work; nothing was started. One line per violation, each with its value. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final List<String> violations;

    public UsageException(List<String> violations) {
        super(String.join("; ", violations));
        this.violations = List.copyOf(violations);
    }

    public static UsageException of(String name, String value, String expected) {
        return new UsageException(List.of(line(name, value, expected)));
    }

    /** One of several violations. */
    public static String line(String name, String value, String expected) {
        return name + ": " + value + " (expected: " + expected + ")";
    }

    public List<String> violations() {
        return violations;
    }
}
