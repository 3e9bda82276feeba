/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A line of progress of a sample that trains.
 *
 * @param step 1-based
 * @param world number of workers that made it
 */
public record Step(int step, double loss, int world, long round) {
    private static final Pattern LINE =
            Pattern.compile("^step (\\d+)/\\d+ \\S+ ([0-9.]+) world (\\d+) round (\\d+)$", Pattern.MULTILINE);

    /** The lines in the order of rounds: in each of them one worker prints. */
    public static List<Step> in(Stream<String> outputs) {
        return outputs.flatMap(output -> LINE.matcher(output)
                        .results()
                        .map(line -> new Step(
                                Integer.parseInt(line.group(1)),
                                Double.parseDouble(line.group(2)),
                                Integer.parseInt(line.group(3)),
                                Long.parseLong(line.group(4)))))
                .sorted(Comparator.comparingLong(Step::round))
                .toList();
    }
}
