/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.text.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The report as one page of HTML: figures, and a timeline of faults, world size and progress. Pure. */
public final class ReportPage {
    private static final String STYLE = """
            :root { --world: #b8d4ea; --count: #0b5fa5; --worker: #b3261e; --hang: #8a5a00; --node: #6b2fa0;
              --coordinator: #123a5c; --partition: #00695c; }
            @media (prefers-color-scheme: dark) { :root { --world: #3d5e78; --count: #7cc0ff; --worker: #ff8a80;
              --hang: #e8b04a; --node: #c79bf2; --coordinator: #dcecfb; --partition: #5fd0c0; } }
            .world { fill: var(--world); } .count { fill: none; stroke: var(--count); stroke-width: 2; }
            .axis, .round { stroke: var(--line); } .worker { stroke: var(--worker); } .hang { stroke: var(--hang); }
            .node { stroke: var(--node); } .coordinator { stroke: var(--coordinator); }
            .partition { stroke: var(--partition); }
            .fault { stroke-width: 2; } .out { stroke-dasharray: 2 3; } .missed { color: var(--worker); }
            """;
    private static final double WIDTH = 1000;
    private static final double FAULTS_TOP = 20;
    private static final double FAULTS_HEIGHT = 18;
    private static final double WORLD_TOP = 120;
    private static final double WORLD_HEIGHT = 80;
    private static final double COUNT_TOP = 230;
    private static final double COUNT_HEIGHT = 170;
    private static final double HEIGHT = 440;
    private static final double LEFT = 90;
    private static final int TICKS = 6;

    private final ChaosReport report;
    private final StringBuilder html = new StringBuilder();
    private final double from;
    private final double to;

    private ReportPage(ChaosReport report) {
        this.report = report;
        List<ChaosReport.Point> points = report.timeline().points();
        this.from = Math.min(0, points.isEmpty() ? 0 : points.get(0).seconds());
        this.to = Math.max(
                Math.max(1, report.progress().seconds()),
                points.isEmpty() ? 0 : points.get(points.size() - 1).seconds());
    }

    public static String of(ChaosReport report) {
        return new ReportPage(report).page();
    }

    private String page() {
        report.violations().forEach(missed -> html.append("<p class=\"missed\">Missed: ")
                .append(Html.escaped(missed))
                .append("</p>\n"));
        html.append("<p>Line of each agent: <code>")
                .append(Html.escaped(String.join(" ", report.setup().line())))
                .append("</code></p>\n<h2>Timeline</h2>\n<div class=\"panel\">\n");
        timeline();
        html.append("</div>\n<h2>Figures</h2>\n<pre>")
                .append(Html.escaped(ReportText.of(report)))
                .append("</pre>\n");
        return Html.page("chaos: run " + report.setup().runId(), STYLE, html.toString());
    }

    private void timeline() {
        html.append(String.format(
                Locale.ROOT, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"timeline\">%n", WIDTH, HEIGHT));
        axis();
        for (FaultKind kind : FaultKind.values()) {
            label(0, top(kind) + FAULTS_HEIGHT - 5, kind.text());
        }
        label(0, WORLD_TOP + WORLD_HEIGHT / 2, "world size");
        label(0, COUNT_TOP + COUNT_HEIGHT / 2, report.timeline().counted());
        world();
        rounds();
        count();
        faults();
        html.append("</svg>\n");
    }

    private void axis() {
        for (int tick = 0; tick <= TICKS; tick++) {
            double seconds = from + (to - from) * tick / TICKS;
            line("axis", x(seconds), FAULTS_TOP, x(seconds), COUNT_TOP + COUNT_HEIGHT, "");
            label(x(seconds) - 10, COUNT_TOP + COUNT_HEIGHT + 18, ReportText.fixed(seconds, 0) + " s");
        }
    }

    private void rounds() {
        report.timeline()
                .rounds()
                .forEach(round -> line(
                        "round",
                        x(round.seconds()),
                        WORLD_TOP,
                        x(round.seconds()),
                        WORLD_TOP + WORLD_HEIGHT,
                        "round " + round.number() + ": world size " + round.worldSize()));
    }

    // Each round holds until the next one; the one before the first of them is in the first sample.
    private void world() {
        List<ChaosReport.RoundMark> rounds = new ArrayList<>();
        report.timeline().points().stream()
                .limit(1)
                .forEach(first -> rounds.add(new ChaosReport.RoundMark(first.seconds(), 0, first.worldSize())));
        rounds.addAll(report.timeline().rounds());
        int most =
                rounds.stream().mapToInt(ChaosReport.RoundMark::worldSize).max().orElse(0);
        if (most == 0) {
            return;
        }
        double floor = WORLD_TOP + WORLD_HEIGHT;
        StringBuilder path = new StringBuilder(
                String.format(Locale.ROOT, "M%.1f %.1f", x(rounds.get(0).seconds()), floor));
        for (ChaosReport.RoundMark round : rounds) {
            double top = floor - WORLD_HEIGHT * round.worldSize() / most;
            path.append(String.format(Locale.ROOT, "H%.1fV%.1f", x(round.seconds()), top));
        }
        html.append(String.format(Locale.ROOT, "<path class=\"world\" d=\"%sH%.1fV%.1fZ\"/>%n", path, x(to), floor));
        label(LEFT - 22, WORLD_TOP + 10, Integer.toString(most));
    }

    // While workers start, none reports it.
    private void count() {
        List<ChaosReport.Point> points = report.timeline().points().stream()
                .filter(point -> point.count() > 0)
                .toList();
        long least = points.stream().mapToLong(ChaosReport.Point::count).min().orElse(0);
        long most = points.stream().mapToLong(ChaosReport.Point::count).max().orElse(0);
        if (most == least) {
            return;
        }
        StringBuilder path = new StringBuilder();
        for (ChaosReport.Point point : points) {
            path.append(String.format(
                    Locale.ROOT,
                    "%s%.1f %.1f",
                    path.length() == 0 ? "M" : "L",
                    x(point.seconds()),
                    COUNT_TOP + COUNT_HEIGHT - COUNT_HEIGHT * (point.count() - least) / (most - least)));
        }
        html.append("<path class=\"count\" d=\"").append(path).append("\"/>\n");
        label(0, COUNT_TOP + 10, Long.toString(most));
        label(0, COUNT_TOP + COUNT_HEIGHT, Long.toString(least));
    }

    private void faults() {
        for (ChaosReport.FaultMark mark : report.timeline().faults()) {
            Fault fault = mark.fault();
            double top = top(fault.kind());
            String what = fault.planned().number() + ": " + fault.kind().text() + " at "
                    + ReportText.fixed(mark.seconds(), 1) + " s, "
                    + (fault.isInjected() ? fault.node() + " process " + fault.pid() + ", " : "left out, ")
                    + mark.outcome()
                    + (mark.recovery() < 0 ? "" : " in " + ReportText.fixed(mark.recovery() * 1000, 0) + " ms");
            line(
                    "fault " + fault.kind().text() + (fault.isInjected() ? "" : " out"),
                    x(mark.seconds()),
                    top,
                    x(mark.seconds()),
                    top + FAULTS_HEIGHT - 3,
                    what);
        }
    }

    private static double top(FaultKind kind) {
        return FAULTS_TOP + FAULTS_HEIGHT * List.of(FaultKind.values()).indexOf(kind);
    }

    private double x(double seconds) {
        return LEFT + (WIDTH - LEFT - 20) * (seconds - from) / (to - from);
    }

    private void label(double x, double y, String text) {
        html.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\">%s</text>%n", x, y, Html.escaped(text)));
    }

    private void line(String style, double x1, double y1, double x2, double y2, String title) {
        html.append(String.format(
                Locale.ROOT,
                "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\">%s</line>%n",
                style,
                x1,
                y1,
                x2,
                y2,
                title.isEmpty() ? "" : "<title>" + Html.escaped(title) + "</title>"));
    }
}
