/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.RunSummary;
import dev.elasticrun.agent.incident.RunTotals;
import dev.elasticrun.cli.text.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The last lines of a run's report: what it took and cost, and where there is more. */
final class SummaryText {
    private SummaryText() {}

    /** @param failed whether somebody will ask why */
    static List<String> lines(RunSummary summary, boolean failed) {
        List<String> lines = new ArrayList<>();
        lines.add("  summary: " + text(summary));
        lines.add("  logs:    " + summary.logDirectory() + "/" + summary.runId());
        if (failed || summary.totals().incidents() > 0) {
            lines.add("  explain: elastic-run explain --run-id " + summary.runId() + logDirectory(summary));
        }
        return lines;
    }

    private static String text(RunSummary summary) {
        RunTotals totals = summary.totals();
        List<String> parts = new ArrayList<>();
        parts.add("took " + Durations.text(summary.took().toMillis()));
        if (totals.lastStep() > 0) {
            String total = totals.totalSteps() > 0 ? " of " + totals.totalSteps() : "";
            boolean isOne = totals.firstStep() == 0 || totals.firstStep() == totals.lastStep();
            parts.add((isOne ? "step " : "steps " + totals.firstStep() + " to ") + totals.lastStep() + total);
        }
        parts.add(
                totals.incidents() == 0
                        ? "no incident"
                        : totals.incidents() == 1 ? "1 incident" : totals.incidents() + " incidents");
        if (totals.stalledNanos() > 0) {
            parts.add(Durations.text(TimeUnit.NANOSECONDS.toMillis(totals.stalledNanos())) + " stall");
        }
        if (summary.goodput() >= 0) {
            parts.add(String.format(Locale.ROOT, "goodput %.1f %%", 100 * summary.goodput()));
        }
        parts.add("restarts " + summary.restartsUsed() + "/" + summary.budget().max()
                + summary.budget().within());
        return String.join(", ", parts);
    }

    // Where the command does not look by itself.
    private static String logDirectory(RunSummary summary) {
        return summary.isUsualDirectory() ? "" : " --log-dir " + summary.logDirectory();
    }
}
