/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.IncidentText;
import dev.elasticrun.cli.text.PlainText;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/** Incidents as paragraphs. Pure. */
public final class IncidentView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private IncidentView() {}

    /** @param since when incidents are known; empty = since the start of the run */
    public static String of(List<IncidentReport> reports, Optional<Instant> since, ZoneId zone) {
        if (reports.isEmpty()) {
            return since.map(time -> "no incident is known since " + time(time, zone))
                            .orElse("no round was formed yet, and there was no incident")
                    + System.lineSeparator();
        }
        StringBuilder text = new StringBuilder();
        for (IncidentReport report : reports) {
            text.append(text.length() == 0 ? "" : System.lineSeparator())
                    .append(PlainText.line(title(report, zone)))
                    .append(System.lineSeparator())
                    .append("  ")
                    .append(PlainText.line(IncidentText.of(report)))
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    public static String time(Instant time, ZoneId zone) {
        return TIME.format(time.atZone(zone));
    }

    private static String title(IncidentReport report, ZoneId zone) {
        if (report.isPause()) {
            return "pause in round " + report.beginning().fromRound() + ", " + time(report.time(), zone)
                    + (report.isOpen() ? ", goes on" : " to " + time(report.over(), zone)) + ": " + report.cause();
        }
        String rounds = report.answer().round() == 0
                ? "after round " + report.beginning().fromRound()
                : report.beginning().fromRound() == 0
                        ? "round " + report.answer().round()
                        : "round " + report.beginning().fromRound() + " to "
                                + report.answer().round();
        return "incident " + report.number() + ", " + time(report.time(), zone) + ", " + rounds
                + (report.cause().isEmpty() ? "" : ": " + report.cause());
    }
}
