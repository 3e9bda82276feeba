/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.curve;

import java.util.Objects;

/** What trials are judged by. Rules see losses, of which less is better. */
public record Objective(String metric, Mode mode) {
    /** Which values are better. */
    public enum Mode {
        MIN,
        MAX
    }

    public Objective {
        Objects.requireNonNull(mode, "mode");
        if (metric.isBlank()) {
            throw new IllegalArgumentException(
                    "metric: '" + metric + "' (expected: the name of a metric that trials report)");
        }
    }

    /** What is not a number is worse than everything else. */
    public double loss(double value) {
        if (Double.isNaN(value)) {
            return Double.POSITIVE_INFINITY;
        }
        return mode == Mode.MIN ? value : -value;
    }

    /** The value of a finite loss. */
    public double value(double loss) {
        return mode == Mode.MIN ? loss : -loss;
    }
}
