/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The last line of the XGBoost sample.
 *
 * @param rounds boosting rounds
 * @param metrics name and value of each, with all digits
 * @param model SHA-256
 * @param roundsSeen rounds of the run in which it was boosted
 */
public record Boosted(int rounds, String metrics, String model, int roundsSeen) {
    private static final Pattern LINE = Pattern.compile(
            "^trained (\\d+) rounds; (.*); best after round \\d+; model ([0-9a-f]{64}); rounds seen (\\d+)$",
            Pattern.MULTILINE);
    private static final Pattern MODEL = Pattern.compile("^model ([0-9a-f]{64})$", Pattern.MULTILINE);

    /** The same, boosted in another number of rounds of the run. */
    public Boosted withRoundsSeen(int seen) {
        return new Boosted(rounds, metrics, model, seen);
    }

    /** One for each worker that printed it; at the end of a run that is one. */
    public static List<Boosted> in(Stream<String> outputs) {
        return outputs.flatMap(output -> LINE.matcher(output)
                        .results()
                        .map(line -> new Boosted(
                                Integer.parseInt(line.group(1)),
                                line.group(2),
                                line.group(3),
                                Integer.parseInt(line.group(4)))))
                .toList();
    }

    /** What each worker reports of its model, at the end. */
    public static List<String> modelsIn(Stream<String> outputs) {
        return outputs.flatMap(output -> MODEL.matcher(output).results().map(line -> line.group(1)))
                .toList();
    }
}
