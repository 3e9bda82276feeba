/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.tune.trial;

import dev.elasticrun.tune.curve.Curve;
import dev.elasticrun.worker.contract.TrialFiles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** One trial as far as it is known. Owned by its {@link TrialTable}. */
public final class Trial {
    private final int number;
    private final Map<String, Object> parameters;
    private final Curve curve = new Curve();
    private TrialFiles.Control control;
    private TrialPhase phase = TrialPhase.RUNNING;
    private String reason = "";

    Trial(int number, Map<String, Object> parameters, TrialFiles.Control control) {
        this.number = number;
        this.parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        this.control = control;
    }

    /** From 1. */
    public int number() {
        return number;
    }

    /** By name; each a String, Long, Double or Boolean. */
    public Map<String, Object> parameters() {
        return parameters;
    }

    public Curve curve() {
        return curve;
    }

    public TrialPhase phase() {
        return phase;
    }

    public boolean isRunning() {
        return phase == TrialPhase.RUNNING;
    }

    /** Why it failed, or what its rule found; empty = it runs, or went to its end. */
    public String reason() {
        return reason;
    }

    /** How far it may go. */
    public TrialFiles.Control control() {
        return control;
    }

    /** @return false if the step was there */
    boolean add(long step, double loss) {
        return curve.add(step, loss);
    }

    void control(TrialFiles.Control decided) {
        control = decided;
    }

    void end(TrialPhase ended, String why) {
        phase = ended;
        reason = why;
    }
}
