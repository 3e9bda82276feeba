/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.samples.FaultFree;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The last line of the training sample. */
public record Trained(double accuracy, double loss, int steps, int roundsSeen) {
    private static final Pattern LINE = Pattern.compile(
            "^accuracy ([0-9.]+) on \\d+ held-out rows; loss ([0-9.]+); steps (\\d+); rounds seen (\\d+)$",
            Pattern.MULTILINE);

    /** One for each worker that printed it; at the end of a run that is one. */
    public static List<Trained> in(Stream<String> outputs) {
        return outputs.flatMap(output -> LINE.matcher(output)
                        .results()
                        .map(line -> new Trained(
                                Double.parseDouble(line.group(1)),
                                Double.parseDouble(line.group(2)),
                                Integer.parseInt(line.group(3)),
                                Integer.parseInt(line.group(4)))))
                .toList();
    }

    /** One worker has printed the end of a training of so many steps, which came to what it comes to when nothing happens. */
    public static void assertFaultFree(List<Trained> ends, int steps) {
        double expected = FaultFree.loss(steps);
        assertThat(ends).singleElement().satisfies(trained -> {
            assertThat(trained.accuracy()).isGreaterThanOrEqualTo(0.95);
            assertThat(trained.loss()).isEqualTo(expected, within(expected * 0.01));
            assertThat(trained.steps()).isEqualTo(steps);
        });
    }
}
