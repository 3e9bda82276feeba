/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.cli.text.Html;
import dev.elasticrun.tune.space.Parameter;
import dev.elasticrun.tune.space.SearchSpace;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialPhase;
import dev.elasticrun.tune.trial.TrialTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A study as one page of HTML: learning curves, parallel coordinates, and the table. Pure. */
final class StudyPage {
    private static final String STYLE = """
            :root { --running: #0b5fa5; --completed: #00695c; --stopped: #8a5a00; --failed: #b3261e; --best: #16191d; }
            @media (prefers-color-scheme: dark) { :root { --running: #7cc0ff; --completed: #5fd0c0; --stopped: #e8b04a;
              --failed: #ff8a80; --best: #e9edf1; } }
            .trial { fill: none; stroke-width: 1.2; opacity: .75; } .axis { stroke: var(--line); }
            .running { stroke: var(--running); } .completed { stroke: var(--completed); }
            .stopped { stroke: var(--stopped); } .failed { stroke: var(--failed); }
            .best { stroke: var(--best); stroke-width: 3; opacity: 1; }
            .bar { stroke-width: 1; stroke: var(--ground); opacity: .8; } .bar.running { fill: var(--running); }
            .bar.completed { fill: var(--completed); } .bar.stopped { fill: var(--stopped); }
            .bar.failed { fill: var(--failed); } .bar.best { fill: var(--best); }
            .key { display: inline-block; width: 1.2rem; border-top: 3px solid; margin: 0 .3rem .25rem 1rem; }
            .trial:hover { stroke-width: 4; opacity: 1; }
            """;
    private static final int RELOAD_SECONDS = 5;
    static final double WIDTH = 1000;
    private static final double HEIGHT = 320;
    static final double LEFT = 80;
    private static final double TOP = 20;
    private static final double BOTTOM = 280;
    /** With more axes than these, their names are in two rows. */
    private static final int CLOSE = 8;
    /** A value far from all others would press them together. */
    private static final double SHOWN = 0.95;

    private final String study;
    private final TrialTable table;
    private final SearchSpace space;
    private final Optional<Trial> best;
    private final StringBuilder html = new StringBuilder();
    private final double least;
    private final double most;

    private StudyPage(String study, TrialTable table, SearchSpace space) {
        this.study = study;
        this.table = table;
        this.space = space;
        this.best = table.best();
        double[] losses = table.trials().stream()
                .flatMapToDouble(
                        trial -> trial.curve().losses().values().stream().mapToDouble(Double::doubleValue))
                .filter(Double::isFinite)
                .sorted()
                .toArray();
        this.least = losses.length == 0 ? 0 : losses[0];
        double upper = losses.length == 0 ? 1 : losses[(int) ((losses.length - 1) * SHOWN)];
        this.most = upper > least ? upper : least + 1;
    }

    static String of(String study, TrialTable table, SearchSpace space) {
        return new StudyPage(study, table, space).page();
    }

    private String page() {
        if (table.count(TrialPhase.RUNNING) > 0) {
            html.append("<p>Running; this page looks at its file every ")
                    .append(RELOAD_SECONDS)
                    .append(" s.</p>\n<script>setTimeout(() => location.reload(), ")
                    .append(RELOAD_SECONDS)
                    .append("000);</script>\n");
        }
        html.append("<p>");
        for (String state : List.of("running", "completed", "stopped", "failed")) {
            html.append("<span class=\"key ")
                    .append(state)
                    .append("\" style=\"border-color: var(--")
                    .append(state)
                    .append(")\"></span>")
                    .append(state);
        }
        html.append("<span class=\"key\" style=\"border-color: var(--best)\"></span>best</p>\n");
        section("Learning curves: " + table.objective().metric() + " by step", this::curves);
        section("Parameters of each trial, and its best " + table.objective().metric(), this::coordinates);
        if (!table.pool().moments().isEmpty()) {
            PoolPicture pool = PoolPicture.of(table);
            section(
                    "Agents of the pool: the trials that they worked for, by time",
                    pool.height(),
                    () -> pool.draw(html));
        }
        html.append("<h2>Trials</h2>\n<pre>")
                .append(Html.escaped(new StudyResults(table).text()))
                .append("</pre>\n");
        return Html.page("study " + study, STYLE, html.toString());
    }

    private void section(String title, Runnable picture) {
        section(title, HEIGHT, picture);
    }

    private void section(String title, double height, Runnable picture) {
        html.append("<h2>").append(Html.escaped(title)).append("</h2>\n<div class=\"panel\">\n");
        html.append(String.format(
                Locale.ROOT,
                "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s\">%n",
                WIDTH,
                height,
                Html.escaped(title)));
        picture.run();
        html.append("</svg>\n</div>\n");
    }

    /** The best one last: it is on top. */
    private List<Trial> inOrder() {
        List<Trial> trials = new ArrayList<>(table.trials());
        trials.sort(Comparator.comparing(trial -> best.filter(trial::equals).isPresent()));
        return trials;
    }

    private void curves() {
        long steps = table.trials().stream()
                .mapToLong(trial -> trial.curve().newest().orElse(0))
                .max()
                .orElse(0);
        line(LEFT, BOTTOM, WIDTH - 20, BOTTOM);
        line(LEFT, TOP, LEFT, BOTTOM);
        label(0, TOP + 10, value(most));
        label(0, BOTTOM, value(least));
        label(LEFT, BOTTOM + 18, "0");
        label(WIDTH - 60, BOTTOM + 18, Long.toString(steps));
        for (Trial trial : inOrder()) {
            List<double[]> points = new ArrayList<>();
            for (Map.Entry<Long, Double> point : trial.curve().losses().entrySet()) {
                double x = LEFT + (WIDTH - 20 - LEFT) * point.getKey() / Math.max(1, steps);
                points.add(new double[] {x, height(point.getValue())});
            }
            path(trial, points);
        }
    }

    private void coordinates() {
        int axes = space.size() + 1;
        double gap = (WIDTH - LEFT - 60) / (axes - 1);
        for (int axis = 0; axis < axes; axis++) {
            double x = LEFT + gap * axis;
            line(x, TOP, x, BOTTOM);
            label(
                    x - 20,
                    axis % 2 == 1 && axes > CLOSE ? BOTTOM + 32 : BOTTOM + 16,
                    axis < space.size()
                            ? space.parameters().get(axis).name()
                            : table.objective().metric());
        }
        for (Trial trial : inOrder()) {
            List<double[]> points = new ArrayList<>();
            for (int axis = 0; axis < space.size(); axis++) {
                Parameter parameter = space.parameters().get(axis);
                Object value = trial.parameters().get(parameter.name());
                if (value != null) {
                    double position = parameter.domain().position(value);
                    points.add(new double[] {LEFT + gap * axis, BOTTOM - (BOTTOM - TOP) * position});
                }
            }
            if (!trial.curve().isEmpty()) {
                points.add(new double[] {LEFT + gap * space.size(), height(TrialTable.loss(trial))});
            }
            path(trial, points);
        }
    }

    /** Better values are lower, whatever the objective's mode is. */
    private double height(double loss) {
        double share = Double.isNaN(loss) ? 1 : Math.min(1, (loss - least) / (most - least));
        return BOTTOM - (BOTTOM - TOP) * share;
    }

    private String value(double loss) {
        return String.format(Locale.ROOT, "%.4g", table.objective().value(loss));
    }

    private void path(Trial trial, List<double[]> points) {
        StringBuilder path = new StringBuilder();
        for (double[] point : points) {
            path.append(String.format(Locale.ROOT, "%s%.1f %.1f", path.length() == 0 ? "M" : "L", point[0], point[1]));
        }
        boolean isBest = best.filter(trial::equals).isPresent();
        String state = isBest ? "best" : trial.phase().name().toLowerCase(Locale.ROOT);
        String title = "trial " + trial.number() + ": " + StudyConsole.parameters(trial.parameters());
        html.append("<path class=\"trial ")
                .append(state)
                .append("\" d=\"")
                .append(path)
                .append("\"><title>")
                .append(Html.escaped(title))
                .append("</title></path>\n");
    }

    private void line(double x1, double y1, double x2, double y2) {
        html.append(String.format(
                Locale.ROOT,
                "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>%n",
                x1,
                y1,
                x2,
                y2));
    }

    private void label(double x, double y, String text) {
        html.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\">%s</text>%n", x, y, Html.escaped(text)));
    }
}
