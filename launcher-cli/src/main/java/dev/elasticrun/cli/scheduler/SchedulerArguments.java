/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.text.Spelling;
import dev.elasticrun.scheduler.JobOption;
import dev.elasticrun.scheduler.SchedulerProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Values of {@code --scheduler-args}: {@code NAME=VALUE,...}, where a comma of a value is written twice. Pure. */
public final class SchedulerArguments {
    public static final String FLAG = "--scheduler-args";

    /** Stands for a comma of a value while the text is taken apart; no argument can have it. */
    private static final String COMMA = "\0";

    private SchedulerArguments() {}

    /**
     * The values by name; of several for the same name the last counts.
     *
     * @param texts in the order in which they were given
     * @throws UsageException naming each that the scheduler does not know, with the nearest that it knows
     */
    public static Map<String, String> parse(List<String> texts, SchedulerProvider scheduler) {
        List<String> known = scheduler.options().stream().map(JobOption::name).toList();
        Map<String, String> values = new TreeMap<>();
        List<String> violations = new ArrayList<>();
        for (String text : texts) {
            for (String part : text.replace(",,", COMMA).split(",", -1)) {
                String argument = part.replace(COMMA, ",");
                int equals = argument.indexOf('=');
                String name = equals < 0 ? argument : argument.substring(0, equals);
                if (equals < 1) {
                    violations.add(FLAG + ": '" + argument + "' (expected: NAME=VALUE; a comma of a value is written"
                            + " twice)");
                } else if (!known.contains(name)) {
                    violations.add(FLAG + ": " + name + " (expected: "
                            + Spelling.nearest(name, known)
                                    .map(near -> near + "; ")
                                    .orElse("") + "one of "
                            + String.join(", ", known) + ")");
                } else {
                    values.put(name, argument.substring(equals + 1));
                }
            }
        }
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
        return values;
    }
}
