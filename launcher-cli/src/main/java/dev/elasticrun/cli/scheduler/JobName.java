/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import dev.elasticrun.cli.options.UsageException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Names of jobs, in a form that all schedulers take. Pure. */
public final class JobName {
    public static final String FLAG = "--job-name";

    private static final int LONGEST = 50;
    private static final Pattern FORM = Pattern.compile("[a-z0-9]([a-z0-9-]{0," + (LONGEST - 2) + "}[a-z0-9])?");
    private static final String DEFAULT = "job";

    private JobName() {}

    /** @throws UsageException if it is none */
    public static String checked(String name) {
        if (!FORM.matcher(name).matches()) {
            throw UsageException.of(
                    FLAG,
                    "'" + name + "'",
                    "lower-case letters, digits and '-' between them, at most " + LONGEST + " characters");
        }
        return name;
    }

    /** The name of a job that was given none: that of its program. */
    public static String ofProgram(String program) {
        String file = program.substring(program.lastIndexOf('/') + 1).replaceFirst("\\.(jar|py|sh)$", "");
        String plain = trimmed(file.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"));
        String name = trimmed(plain.substring(0, Math.min(LONGEST, plain.length())));
        return name.isEmpty() ? DEFAULT : name;
    }

    private static String trimmed(String name) {
        return name.replaceAll("^-+|-+$", "");
    }
}
