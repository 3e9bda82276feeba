/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.trial;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.tune.curve.Curves;
import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.rule.StoppingRule;
import dev.elasticrun.worker.contract.TrialFiles;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * All trials of a study: begun, reported, judged and ended, one after the other. What it knows follows from the order of
 * these calls alone, so that a driver which reads them back from the store continues where another one ended.
 */
public final class TrialTable implements Curves {
    private final Objective objective;
    private final StoppingRule rule;
    private final SortedMap<Integer, Trial> trials = new TreeMap<>();
    private final Map<Integer, Curve> curves = new LinkedHashMap<>();
    private final PoolTimeline pool = new PoolTimeline();
    /** Names of metrics other than the objective's, by trial. */
    private final Map<Integer, TreeSet<String>> otherMetrics = new TreeMap<>();

    public TrialTable(Objective objective, StoppingRule rule) {
        this.objective = objective;
        this.rule = rule;
    }

    public Objective objective() {
        return objective;
    }

    /** The agents that worked for them. */
    public PoolTimeline pool() {
        return pool;
    }

    /** A trial begins; without effect if it has begun. */
    public void begin(int number, Map<String, Object> parameters) {
        if (!trials.containsKey(number)) {
            TrialFiles.Control first = new TrialFiles.Control(rule.nextJudged(number, -1), false);
            Trial trial = new Trial(number, parameters, first);
            trials.put(number, trial);
            curves.put(number, trial.curve());
        }
    }

    /** A step was reported. Of a step that was reported before, and of a trial that has not begun, nothing is taken. */
    public void report(int number, TrialFiles.Report report) {
        Trial trial = trials.get(number);
        if (trial == null) {
            return;
        }
        Double value = report.metrics().get(objective.metric());
        if (value == null) {
            otherMetrics
                    .computeIfAbsent(number, ignored -> new TreeSet<>())
                    .addAll(report.metrics().keySet());
        }
        if (value != null && !trial.add(report.step(), objective.loss(value))) {
            return;
        }
        if (trial.isRunning()
                && !trial.control().stop()
                && report.step() >= trial.control().until()) {
            judge(trial, report.step(), value != null);
        }
    }

    // A trial that does not report what it is judged by would wait, or run, for nothing.
    private void judge(Trial trial, long step, boolean isComparable) {
        boolean goesOn = isComparable && rule.goesOn(trial.number(), step, this);
        long until =
                goesOn ? rule.nextJudged(trial.number(), step) : trial.control().until();
        trial.control(new TrialFiles.Control(until, !goesOn));
    }

    /**
     * A trial's run has ended.
     *
     * @param failure why it failed; empty = its workers ended with exit code 0
     */
    public void end(int number, Optional<String> failure) {
        Trial trial = trials.get(number);
        if (trial == null || !trial.isRunning()) {
            return;
        }
        if (failure.isPresent()) {
            trial.end(TrialPhase.FAILED, failure.get());
        } else if (trial.curve().isEmpty()) {
            trial.end(
                    TrialPhase.FAILED,
                    "metric " + objective.metric() + " was never reported (reported: " + reported(number) + ")");
        } else {
            trial.end(trial.control().stop() ? TrialPhase.STOPPED : TrialPhase.COMPLETED, "");
        }
    }

    private String reported(int number) {
        TreeSet<String> names = otherMetrics.getOrDefault(number, new TreeSet<>());
        return names.isEmpty() ? "nothing" : String.join(", ", names);
    }

    /** In the order of their numbers. */
    public Collection<Trial> trials() {
        return Collections.unmodifiableCollection(trials.values());
    }

    public Optional<Trial> trial(int number) {
        return Optional.ofNullable(trials.get(number));
    }

    public int begun() {
        return trials.size();
    }

    /** Of all trials together: the last one that each has reported. */
    public long steps() {
        return trials.values().stream()
                .mapToLong(trial -> trial.curve().newest().orElse(0))
                .sum();
    }

    public long count(TrialPhase phase) {
        return trials.values().stream().filter(trial -> trial.phase() == phase).count();
    }

    /** The trial with the least finite loss, the first of equals; failed ones do not count. */
    public Optional<Trial> best() {
        return trials.values().stream()
                .filter(trial -> trial.phase() != TrialPhase.FAILED)
                .filter(trial -> Double.isFinite(loss(trial)))
                .min(Comparator.comparingDouble(TrialTable::loss));
    }

    /** The least one that it has reported; infinite = none. */
    public static double loss(Trial trial) {
        return trial.curve().best().orElse(Double.POSITIVE_INFINITY);
    }

    @Override
    public Map<Integer, Curve> byTrial() {
        return Collections.unmodifiableMap(curves);
    }
}
