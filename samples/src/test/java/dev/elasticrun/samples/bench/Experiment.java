/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** What the trials of the fault-tolerance experiment show together. Pure. */
final class Experiment {
    /** Runs without failures that differ by more show that the machine had other work. */
    static final double BASELINE_SPREAD = 0.10;

    static final double ELASTIC_RATIO = 1.05;
    static final double PAUSE_SECONDS = 0.5;

    private final List<Outcome> outcomes;

    Experiment(List<Outcome> outcomes) {
        this.outcomes = List.copyOf(outcomes);
    }

    /** Time of a trial in times of that without failures; the mean of those that were repeated. Empty if not measured. */
    OptionalDouble ratio(Trial trial) {
        OptionalDouble base = mean(Trial.BASELINE, Outcome::seconds);
        OptionalDouble time = mean(trial, Outcome::seconds);
        return base.isPresent() && time.isPresent()
                ? OptionalDouble.of(time.getAsDouble() / base.getAsDouble())
                : OptionalDouble.empty();
    }

    static double publishedRatio(Trial trial) {
        return Outcome.published(trial).seconds()
                / Outcome.published(Trial.BASELINE).seconds();
    }

    /** Why nothing can be concluded; empty = it can. */
    Optional<String> objection() {
        double[] times = of(Trial.BASELINE).stream()
                .mapToDouble(Outcome::seconds)
                .sorted()
                .toArray();
        if (times.length < 2) {
            return Optional.of("not judged: " + times.length + " runs without failures (expected: at least 2)");
        }
        double spread = times[times.length - 1] / times[0] - 1;
        return spread > BASELINE_SPREAD
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "not judged: runs without failures took %s s, which differ by %.1f %% (expected: at most %.0f %%)",
                        listed(times),
                        100 * spread,
                        100 * BASELINE_SPREAD))
                : Optional.empty();
    }

    /** A line for each aim, kept or missed; or the objection. */
    List<String> verdict() {
        Optional<String> objection = objection();
        if (objection.isPresent()) {
            return List.of(objection.get());
        }
        List<String> lines = new ArrayList<>();
        for (Trial trial : measured(Trial.Condition.ELASTIC)) {
            lines.add(judged(
                    trial + " takes %.2f of the time without failures (aim: at most %.2f)",
                    ratio(trial).orElse(Double.NaN),
                    ELASTIC_RATIO));
            lines.add(judged(
                    trial + " recovers in %.2f s (aim: less than %.2f)",
                    mean(trial, Outcome::recovery).orElse(Double.NaN),
                    PAUSE_SECONDS));
        }
        double base = mean(Trial.BASELINE, Outcome::logLoss).orElse(Double.NaN);
        for (Trial trial : measured(Trial.Condition.NON_ELASTIC)) {
            boolean isSame = of(trial).stream().allMatch(outcome -> outcome.logLoss() == base);
            lines.add((isSame ? "kept: " : "MISSED: ") + trial
                    + " ends with the log loss of the run without failures, to the last digit");
        }
        return lines;
    }

    /** The table as published, with what was measured beside it. */
    String table() {
        StringBuilder text = new StringBuilder("""
                | condition | workers killed | time s | **ratio** | published | log loss | published | error | published | pause after the kill s | later pauses s |
                |---|---|---|---|---|---|---|---|---|---|---|
                """);
        for (Trial trial : Trial.all().stream().distinct().toList()) {
            if (of(trial).isEmpty()) {
                continue;
            }
            Outcome published = Outcome.published(trial);
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %s | **%.2f** | %.2f | %.6f | %.6f | %.4f | %.4f | %s | %s |%n",
                    trial.condition().words(),
                    trial.affected(),
                    listed(of(trial).stream().mapToDouble(Outcome::seconds).toArray()),
                    ratio(trial).orElse(Double.NaN),
                    publishedRatio(trial),
                    mean(trial, Outcome::logLoss).orElse(Double.NaN),
                    published.logLoss(),
                    mean(trial, Outcome::error).orElse(Double.NaN),
                    published.error(),
                    seconds(mean(trial, Outcome::recovery)),
                    seconds(mean(trial, Outcome::later))));
        }
        return text.toString();
    }

    private List<Trial> measured(Trial.Condition condition) {
        return Trial.all().stream()
                .filter(trial -> trial.condition() == condition && !of(trial).isEmpty())
                .toList();
    }

    private List<Outcome> of(Trial trial) {
        return outcomes.stream()
                .filter(outcome -> outcome.trial().equals(trial))
                .toList();
    }

    private OptionalDouble mean(Trial trial, ToDoubleFunction<Outcome> value) {
        return of(trial).stream().mapToDouble(value).average();
    }

    private static String judged(String sentence, double value, double limit) {
        return (value <= limit ? "kept: " : "MISSED: ") + String.format(Locale.ROOT, sentence, value, limit);
    }

    private static String seconds(OptionalDouble value) {
        double seconds = value.orElse(Double.NaN);
        return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.2f", seconds);
    }

    private static String listed(double[] seconds) {
        return String.join(
                " / ",
                Arrays.stream(seconds)
                        .mapToObj(value -> String.format(Locale.ROOT, "%.2f", value))
                        .toList());
    }
}
