/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.history;

import dev.elasticrun.cli.runs.RunSummary;
import dev.elasticrun.cli.text.Durations;
import dev.elasticrun.cli.text.Html;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The page with all runs: plain HTML, without scripts. Pure. */
final class IndexPage {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    private static final String NONE = "–";
    private static final String HEAD = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
              <meta charset="utf-8">
              <meta name="viewport" content="width=device-width, initial-scale=1">
              <meta name="color-scheme" content="light dark">
              <title>Runs – elastic-run</title>
              <link rel="icon" href="/icon.svg" type="image/svg+xml">
              <link rel="stylesheet" href="/page.css">
            </head>
            <body>
            """;

    private IndexPage() {}

    /**
     * @param runs in the order of the page
     * @param now ends the time of those that are running
     * @param zone in which times are given
     */
    static String of(String directory, List<RunSummary> runs, Instant now, ZoneId zone) {
        StringBuilder html = new StringBuilder(HEAD)
                .append("<header><h1><span class=\"product\">elastic-run</span> Runs</h1><p class=\"quiet\">")
                .append(runs.size() == 1 ? "1 run" : runs.size() + " runs")
                .append(" below ")
                .append(Html.escaped(directory))
                .append("</p></header>\n<main><section>\n");
        if (runs.isEmpty()) {
            html.append("<p class=\"quiet\">No directory here has events of a run.</p>\n");
        } else {
            html.append(
                            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Runs\"><table class=\"runs\">\n")
                    .append("<thead><tr><th scope=\"col\">Run</th><th scope=\"col\">State</th>")
                    .append("<th scope=\"col\">Started</th><th scope=\"col\" class=\"number\">Time</th>");
            List.of("Nodes", "World", "Rounds", "Step", "Failures")
                    .forEach(name -> html.append("<th scope=\"col\" class=\"number\">")
                            .append(name)
                            .append("</th>"));
            html.append("<th scope=\"col\">End</th></tr></thead>\n<tbody>\n");
            runs.forEach(run -> html.append(row(run, now, zone)));
            html.append("</tbody></table></div>\n");
        }
        return html.append("</section></main>\n<footer><p>Times are of ")
                .append(Html.escaped(zone.getId()))
                .append(". Reload the page to read the files again.</p></footer>\n</body>\n</html>\n")
                .toString();
    }

    private static String row(RunSummary run, Instant now, ZoneId zone) {
        RunSummary.Work work = run.work();
        Optional<Instant> end = run.state() == RunSummary.State.RUNNING
                ? Optional.of(now)
                : run.span().last();
        String time = run.span()
                .began()
                .flatMap(began -> end.map(last ->
                        Durations.text(Math.max(0, Duration.between(began, last).toMillis()))))
                .orElse(NONE);
        String step = work.step() == 0
                ? NONE
                : work.total() == 0 ? Long.toString(work.step()) : work.step() + " of " + work.total();
        return "<tr><th scope=\"row\"><a href=\"run/" + address(run.run()) + "/\">" + Html.escaped(run.run())
                + "</a></th>"
                + "<td><span class=\"run-state " + run.state().text() + "\">" + sign(run.state()) + " "
                + run.state().text() + "</span></td>"
                + "<td>"
                + run.span()
                        .began()
                        .map(began -> TIME.format(began.atZone(zone)))
                        .orElse(NONE) + "</td>"
                + number(time)
                + number(Integer.toString(run.nodes().size()))
                + number(work.round() == 0 ? NONE : Integer.toString(work.worldSize()))
                + number(work.round() == 0 ? NONE : Long.toString(work.round()))
                + number(step)
                + number(Integer.toString(work.failures()))
                + "<td>"
                + (run.span().reason().isEmpty()
                        ? NONE
                        : Html.escaped(run.span().reason())) + "</td></tr>\n";
    }

    private static String number(String text) {
        return "<td class=\"number\">" + text + "</td>";
    }

    private static String sign(RunSummary.State state) {
        return switch (state) {
            case RUNNING -> "●";
            case SUCCEEDED -> "✔";
            case FAILED -> "✕";
            case LEFT -> "■";
        };
    }

    /** As a part of an address. */
    static String address(String run) {
        return URLEncoder.encode(run, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
