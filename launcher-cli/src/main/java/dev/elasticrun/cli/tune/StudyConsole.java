/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.tune.curve.Objective;
import dev.elasticrun.tune.study.StudyListener;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The progress of a study, a line for each trial that begins and ends. */
final class StudyConsole implements StudyListener {
    private final PrintStream err;
    private final Objective objective;
    private final int trials;
    private final Consumer<TrialTable> look;
    private String waited = "";

    /** @param look receives all trials, some times a second */
    StudyConsole(PrintStream err, Objective objective, int trials, Consumer<TrialTable> look) {
        this.err = err;
        this.objective = objective;
        this.trials = trials;
        this.look = look;
    }

    private void line(String text) {
        err.println("tune: " + text);
        waited = "";
    }

    @Override
    public void continued(int begun, int ended) {
        line("continues: of " + trials + " trials " + begun + " have begun and " + ended + " have ended");
    }

    @Override
    public void waiting(String why) {
        if (!waited.equals(why)) {
            line("waits for " + why);
            waited = why;
        }
    }

    @Override
    public void began(Trial trial) {
        line(name(trial) + " begins: " + parameters(trial.parameters()));
    }

    @Override
    public void joined(String agent, Trial trial) {
        line("agent " + agent + " joins " + name(trial));
    }

    @Override
    public void ended(Trial trial) {
        String steps = trial.curve().newest().isPresent()
                ? "after step " + trial.curve().newest().getAsLong() + ", " + best(trial)
                : "before its first step";
        String phase = trial.phase().name().toLowerCase(Locale.ROOT);
        line(name(trial) + " " + phase + " " + steps + (trial.reason().isEmpty() ? "" : ": " + trial.reason()));
    }

    @Override
    public void arrived(String agent) {
        line("agent " + agent + " is in the pool");
    }

    @Override
    public void refused(String agent) {
        line("agent " + agent + " gets no trial: it has another key than --run-key-file of this command");
    }

    @Override
    public void lost(String agent) {
        line("agent " + agent + " is no longer in the pool");
    }

    @Override
    public void looked(TrialTable table) {
        look.accept(table);
    }

    private String name(Trial trial) {
        return "trial " + trial.number() + "/" + trials;
    }

    private String best(Trial trial) {
        return "best " + objective.metric() + " "
                + String.format(
                        Locale.ROOT,
                        "%.6g",
                        objective.value(trial.curve().best().orElseThrow()));
    }

    static String parameters(Map<String, Object> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + value(entry.getValue()))
                .collect(Collectors.joining(" "));
    }

    private static String value(Object value) {
        return value instanceof Double number ? String.format(Locale.ROOT, "%.5g", number) : value.toString();
    }
}
