/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** The experiment's ratios as bars, with the published ones as marks: a picture in SVG. Pure. */
final class ExperimentPlot {
    private static final int WIDTH = 760;
    private static final int HEIGHT = 400;
    private static final int LEFT = 60;
    private static final int RIGHT = 20;
    private static final int TOP = 60;
    private static final int BOTTOM = 80;
    private static final int BAR = 44;
    private static final int GAP = 12;
    private static final int GROUP_GAP = 30;
    private static final double STEP = 0.25;

    private final Experiment experiment;
    private final StringBuilder svg = new StringBuilder();
    private final double top;

    private ExperimentPlot(Experiment experiment) {
        this.experiment = experiment;
        double highest = trials().stream()
                .mapToDouble(trial -> Math.max(
                        Experiment.publishedRatio(trial),
                        experiment.ratio(trial).orElse(0)))
                .max()
                .orElse(1);
        top = STEP * Math.ceil((highest + 0.1) / STEP);
    }

    static String svg(Experiment experiment) {
        return new ExperimentPlot(experiment).draw();
    }

    private static List<Trial> trials() {
        return Trial.all().stream().distinct().toList();
    }

    private String draw() {
        add(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"13\" fill=\"#222\">",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        add("<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>", WIDTH, HEIGHT);
        add(
                "<text x=\"%d\" y=\"22\" font-size=\"15\">Time of training, in times of that without failures</text>",
                LEFT);
        axis();
        legend();
        int x = LEFT + GROUP_GAP / 2;
        for (Trial.Condition condition : Trial.Condition.values()) {
            x = group(condition, x);
        }
        add("</svg>");
        return svg.toString();
    }

    private void axis() {
        for (double value = 0; value <= top + STEP / 2; value += STEP) {
            boolean isOne = Math.abs(value - 1) < STEP / 2;
            add(
                    "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>",
                    LEFT,
                    WIDTH - RIGHT,
                    y(value),
                    y(value),
                    value == 0 || isOne ? "#444" : "#ddd",
                    isOne ? " stroke-dasharray=\"5 4\"" : "");
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.2f</text>", LEFT - 8, y(value) + 4, value);
        }
    }

    private void legend() {
        add("<rect x=\"%d\" y=\"34\" width=\"14\" height=\"14\" fill=\"#3b6ea8\"/>", LEFT);
        add("<text x=\"%d\" y=\"46\">elastic-run, measured</text>", LEFT + 20);
        mark(LEFT + 196, 41);
        add("<text x=\"%d\" y=\"46\">XGBoost-Ray, published</text>", LEFT + 210);
    }

    private int group(Trial.Condition condition, int start) {
        int x = start;
        for (Trial trial : trials()) {
            if (trial.condition() == condition) {
                bar(trial, x);
                x += BAR + GAP;
            }
        }
        int middle = (start + x - GAP) / 2;
        text(middle, HEIGHT - BOTTOM + 42, condition.words());
        return x - GAP + GROUP_GAP;
    }

    private void bar(Trial trial, int x) {
        int middle = x + BAR / 2;
        double published = Experiment.publishedRatio(trial);
        OptionalDouble measured = experiment.ratio(trial);
        if (measured.isPresent()) {
            double ratio = measured.getAsDouble();
            add(
                    "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"%s\"/>",
                    x, y(ratio), BAR, y(0) - y(ratio), "#3b6ea8");
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\" fill=\"#fff\">%.2f</text>", middle, y(0) - 8, ratio);
        }
        mark(middle, y(published));
        text(middle, HEIGHT - BOTTOM + 20, trial.affected() == 0 ? "" : trial.affected() + " killed");
    }

    private void mark(double x, double y) {
        add("<path d=\"M%.1f %.1f l7 7 l-7 7 l-7 -7 z\" fill=\"#e08a1e\" stroke=\"#fff\"/>", x, y - 7);
    }

    private void text(int x, int y, String words) {
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", x, y, words);
    }

    private double y(double value) {
        return HEIGHT - BOTTOM - value / top * (HEIGHT - BOTTOM - TOP);
    }

    private void add(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
