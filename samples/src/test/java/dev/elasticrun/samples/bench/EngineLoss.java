/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One loss of an agent under an engine, and its return.
 *
 * @param noticed seconds until the engine acted, or showed the loss; NaN = it does neither
 * @param left what the loss cost the others
 * @param back what the return cost them
 * @param joined seconds from the start of the new agent's job, command or process until the world was whole
 */
record EngineLoss(double noticed, StepLog.Change left, StepLog.Change back, double joined) {
    static final String HEADER = """
            | agents started by | what happens | the engine acts or shows it | the others stand still | steps again \
            | workers kept | another is back | the others stand still | steps again | workers kept |
            |---|---|---|---|---|---|---|---|---|---|
            """;

    /** Medians, and the worst in brackets. */
    static String row(String engine, String event, List<EngineLoss> all) {
        return "| "
                + String.join(
                        " | ",
                        engine,
                        event,
                        seconds(all, EngineLoss::noticed),
                        seconds(all, loss -> loss.left.paused()),
                        count(all, loss -> loss.left.lost()),
                        count(all, loss -> loss.left.kept()) + " of 2",
                        seconds(all, EngineLoss::joined),
                        seconds(all, loss -> loss.back.paused()),
                        count(all, loss -> loss.back.lost()),
                        count(all, loss -> loss.back.kept()) + " of 2")
                + " |\n";
    }

    static String seconds(double... seconds) {
        Distribution all = Distribution.of(seconds);
        return all.count() == 0 ? "-" : String.format(Locale.ROOT, "%.2f s (%.2f)", all.median(), all.worst());
    }

    private static String seconds(List<EngineLoss> all, ToDoubleFunction<EngineLoss> of) {
        return seconds(all.stream().mapToDouble(of).toArray());
    }

    private static String count(List<EngineLoss> all, ToDoubleFunction<EngineLoss> of) {
        double median = Distribution.of(all.stream().mapToDouble(of).toArray()).median();
        return String.format(Locale.ROOT, "%.0f", median);
    }
}
