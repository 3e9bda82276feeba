/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An element that has been started, as {@code scontrol --oneliner show job} shows it. Pure.
 *
 * @param id what Slurm's commands call it
 * @param restarts how often Slurm queued it again
 * @param output file of its output
 */
record ElementDetails(String id, int restarts, String output) {
    /** A value ends where the next name begins: it may have blanks in it. */
    private static final Pattern FIELD = Pattern.compile("(?:^| )([A-Z][A-Za-z:/]*)=(.*?)(?= [A-Z][A-Za-z:/]*=|$)");

    private static final Pattern INDEX = Pattern.compile("\\d{1,9}");

    /** Those of the output, in its order; elements that wait together for their first node are left out. */
    static List<ElementDetails> parse(String output) {
        return output.lines()
                .map(ElementDetails::ofLine)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<ElementDetails> ofLine(String line) {
        Map<String, String> fields = new HashMap<>();
        Matcher matcher = FIELD.matcher(line.strip());
        while (matcher.find()) {
            fields.putIfAbsent(matcher.group(1), matcher.group(2));
        }
        String array = fields.getOrDefault("ArrayJobId", "");
        String index = fields.getOrDefault("ArrayTaskId", "");
        if (!INDEX.matcher(array).matches() || !INDEX.matcher(index).matches()) {
            return Optional.empty();
        }
        String restarts = fields.getOrDefault("Restarts", "0");
        return Optional.of(new ElementDetails(
                array + "_" + index,
                INDEX.matcher(restarts).matches() ? Integer.parseInt(restarts) : 0,
                file(fields.getOrDefault("StdOut", ""), array, index, fields)));
    }

    /** Some versions of Slurm show the pattern, others what it stands for. */
    private static String file(String pattern, String array, String index, Map<String, String> fields) {
        return pattern.replace("%A", array)
                .replace("%a", index)
                .replace("%j", fields.getOrDefault("JobId", ""))
                .replace("%x", fields.getOrDefault("JobName", ""));
    }
}
