/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples;

import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Options of a program, read one after the other: {@code --name value} or {@code --name=value}. */
final class Arguments {
    private final String program;
    private final String usage;
    private final Iterator<String> rest;
    private String argument = "";
    private @Nullable String inline;

    Arguments(String program, String usage, List<String> arguments) {
        this.program = program;
        this.usage = usage;
        rest = arguments.iterator();
    }

    boolean hasNext() {
        return rest.hasNext();
    }

    /** The name of the next option; its value is asked for by its kind. */
    String next() {
        argument = rest.next();
        int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
        inline = equals < 0 ? null : argument.substring(equals + 1);
        return name();
    }

    String text() {
        String given = inline;
        if (given != null) {
            return given;
        }
        if (!rest.hasNext()) {
            throw bad("nothing", "a value after it");
        }
        return rest.next();
    }

    Path file(String expected) {
        String text = text();
        if (text.isEmpty() || text.indexOf('\0') >= 0) {
            throw bad("'" + text + "'", expected);
        }
        return Path.of(text);
    }

    int wholeNumber(int least) {
        String text = text();
        try {
            int value = Integer.parseInt(text);
            if (value >= least) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers that are too small.
        }
        throw bad(text, "a whole number from " + least + " to " + Integer.MAX_VALUE);
    }

    double positive() {
        String text = text();
        try {
            double value = Double.parseDouble(text);
            if (value > 0 && Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers out of range.
        }
        throw bad(text, "a number greater than 0");
    }

    /** The value of the present option will not do. */
    UsageException bad(String found, String expected) {
        return new UsageException(name() + ": " + found + " (expected: " + expected + ")");
    }

    /** There is no such option. */
    UsageException unknown() {
        return new UsageException(program + ": " + argument + " (expected: " + usage + ")");
    }

    /** An option that must be given was not. */
    UsageException missing(String name) {
        return new UsageException(name + ": missing (expected: " + usage + ")");
    }

    private String name() {
        int equals = inline == null ? -1 : argument.indexOf('=');
        return equals < 0 ? argument : argument.substring(0, equals);
    }
}
