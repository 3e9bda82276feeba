/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.cli.text.Html;
import dev.elasticrun.tune.trial.PoolTimeline.Moment;
import dev.elasticrun.tune.trial.Trial;
import dev.elasticrun.tune.trial.TrialTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The pool of a study over time: a row for each agent, a bar for each trial that it worked for. Pure. */
final class PoolPicture {
    private static final double ROW = 16;
    private static final double TOP = 8;
    private static final double RIGHT = StudyPage.WIDTH - 20;
    /** Less than that is no time: all in one moment. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final TrialTable table;
    private final List<String> agents;
    private final Moment first;
    private final Duration whole;

    private PoolPicture(TrialTable table) {
        this.table = table;
        List<Moment> moments = table.pool().moments();
        TreeSet<String> names = new TreeSet<>();
        moments.forEach(moment -> names.addAll(moment.agents().keySet()));
        this.agents = List.copyOf(names);
        this.first = moments.get(0);
        Duration time =
                Duration.between(first.at(), moments.get(moments.size() - 1).at());
        this.whole = time.compareTo(SHORTEST) > 0 ? time : SHORTEST;
    }

    /** Of a table whose pool has changed at least once. */
    static PoolPicture of(TrialTable table) {
        return new PoolPicture(table);
    }

    double height() {
        return TOP + ROW * agents.size() + 24;
    }

    /** An agent's work for one trial. */
    private record Bar(String agent, int trial, Moment from, Moment to) {}

    /** In the order of their beginnings; what goes on after the last moment is not drawn. */
    private List<Bar> bars() {
        List<Bar> bars = new ArrayList<>();
        Map<String, Moment> begun = new HashMap<>();
        Moment before = first;
        for (Moment moment : table.pool().moments()) {
            for (String agent : agents) {
                int was = before.agents().getOrDefault(agent, 0);
                int is = moment.agents().getOrDefault(agent, 0);
                if (was != is && was != 0) {
                    bars.add(new Bar(agent, was, begun.getOrDefault(agent, first), moment));
                }
                if (was != is || moment.equals(first)) {
                    begun.put(agent, moment);
                }
            }
            before = moment;
        }
        for (String agent : agents) {
            int trial = before.agents().getOrDefault(agent, 0);
            if (trial != 0) {
                bars.add(new Bar(agent, trial, begun.getOrDefault(agent, first), before));
            }
        }
        return bars;
    }

    void draw(StringBuilder html) {
        for (int row = 0; row < agents.size(); row++) {
            text(html, 0, TOP + ROW * row + 12, "agent " + (row + 1), agents.get(row));
        }
        for (Bar bar : bars()) {
            double from = position(bar.from());
            html.append(String.format(
                    Locale.ROOT,
                    "<rect class=\"bar %s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%s</title></rect>%n",
                    state(bar.trial()),
                    from,
                    TOP + ROW * agents.indexOf(bar.agent()),
                    Math.max(1, position(bar.to()) - from),
                    ROW - 2,
                    Html.escaped("trial " + bar.trial() + ", "
                            + seconds(Duration.between(bar.from().at(), bar.to().at())) + ", agent " + bar.agent())));
        }
        double base = TOP + ROW * agents.size() + 14;
        text(html, StudyPage.LEFT, base, "0 s", "");
        text(html, RIGHT - 50, base, seconds(whole), "");
    }

    private String state(int trial) {
        Optional<Trial> known = table.trial(trial);
        return known.isPresent() && known.equals(table.best())
                ? "best"
                : known.map(one -> one.phase().name().toLowerCase(Locale.ROOT)).orElse("");
    }

    private double position(Moment moment) {
        double share = (double) Duration.between(first.at(), moment.at()).toNanos() / whole.toNanos();
        return StudyPage.LEFT + (RIGHT - StudyPage.LEFT) * share;
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
    }

    /** @param hint shown where a mouse points; empty = none */
    private static void text(StringBuilder html, double x, double y, String text, String hint) {
        html.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\">%s%s</text>%n",
                x,
                y,
                hint.isEmpty() ? "" : "<title>" + Html.escaped(hint) + "</title>",
                Html.escaped(text)));
    }
}
