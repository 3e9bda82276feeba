/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.IncidentText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Incidents as paragraphs. Pure. */
final class IncidentView {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private IncidentView() {}

    static String of(List<IncidentReport> reports, ZoneId zone) {
        if (reports.isEmpty()) {
            return "no round was formed yet, and there was no incident" + System.lineSeparator();
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

    private static String title(IncidentReport report, ZoneId zone) {
        String rounds = report.toRound() == 0
                ? "after round " + report.fromRound()
                : report.fromRound() == 0
                        ? "round " + report.toRound()
                        : "round " + report.fromRound() + " to " + report.toRound();
        return "incident " + report.number() + ", " + TIME.format(report.time().atZone(zone)) + ", " + rounds
                + (report.cause().isEmpty() ? "" : ": " + report.cause());
    }
}
