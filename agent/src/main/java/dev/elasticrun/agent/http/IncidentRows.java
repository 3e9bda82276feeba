/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.agent.incident.Cost;
import dev.elasticrun.agent.incident.Culprit;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.IncidentReport.Outcome;
import dev.elasticrun.agent.incident.IncidentText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders incidents for the page, with the sentences of {@code explain}. Pure. */
public final class IncidentRows {
    private static final int MAX = 20;

    private IncidentRows() {}

    /**
     * @param reports in order
     * @return the newest, newest first; the start of the run is none
     */
    public static List<RunPicture.IncidentRow> of(List<IncidentReport> reports) {
        List<RunPicture.IncidentRow> rows = new ArrayList<>();
        for (int i = reports.size() - 1; i >= 0 && rows.size() < MAX; i--) {
            if (reports.get(i).outcome() != Outcome.STARTED) {
                rows.add(row(reports.get(i)));
            }
        }
        return rows;
    }

    private static RunPicture.IncidentRow row(IncidentReport report) {
        Cost cost = report.cost();
        List<RunPicture.Phase> phases = new ArrayList<>();
        if (cost.stalled() >= 0) {
            phase(phases, "until the coordinator decided", cost.phases().detected());
            phase(phases, "until the round was sealed", cost.phases().sealed());
            phase(phases, "until members received WORK", cost.phases().paused());
            phase(phases, "until the last worker worked", cost.phases().resumed());
        }
        return new RunPicture.IncidentRow(
                new RunPicture.Numbers(
                        report.number(),
                        report.beginning().fromRound(),
                        report.answer().round()),
                new RunPicture.Story(
                        kind(report),
                        IncidentText.of(report),
                        report.failedWorkers()
                                .filter(one -> one.rank() >= 0 && !one.followed())
                                .map(Culprit.FailedWorker::rank)
                                .sorted()
                                .toList(),
                        report.time().toEpochMilli(),
                        !report.isOpen()),
                new RunPicture.Price(
                        known(cost.stalled()),
                        report.outcome() == Outcome.WENT_ON && report.answer().survivors() != 0
                                ? known(cost.hard().millis())
                                : null,
                        cost.progress().stepsLost() < 0
                                ? null
                                : (Long) cost.progress().stepsLost(),
                        phases));
    }

    private static void phase(List<RunPicture.Phase> phases, String name, double millis) {
        if (millis >= 0) {
            phases.add(new RunPicture.Phase(name, Math.round(millis)));
        }
    }

    // The outcome of an incident that ended the run, else the kind of its first cause.
    private static String kind(IncidentReport report) {
        return switch (report.outcome()) {
            case SUCCEEDED, STOPPED, FAILED, LEFT -> report.outcome().text();
            case STARTED, WENT_ON, RESTARTED, PAUSED, WAITS ->
                report.culprits().isEmpty()
                        ? "other"
                        : report.culprits().get(0).what().text();
        };
    }

    private static @Nullable Long known(double millis) {
        return millis < 0 ? null : (Long) Math.round(millis);
    }
}
