/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.runs;

import dev.elasticrun.cli.text.Durations;
import dev.elasticrun.cli.text.PlainText;
import dev.elasticrun.cli.text.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.Temporal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Runs as text. Pure. */
public final class RunListText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
    private static final String NONE = "-";

    private RunListText() {}

    /**
     * A line for each run.
     *
     * @param now ends the time of those that are running
     * @param zone in which times are given
     */
    public static String list(List<RunSummary> runs, Instant now, ZoneId zone) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "RUN", "STATE", "STARTED", "TIME", "NODES", "WORLD", "ROUND", "STEP", "FAILURES", "POLICY", "END"));
        runs.forEach(run -> rows.add(cells(run, now, zone)));
        StringBuilder text = new StringBuilder();
        TextTable.lines(rows).forEach(line -> text.append(PlainText.line(line)).append(System.lineSeparator()));
        return text.toString();
    }

    private static List<String> cells(RunSummary run, Instant now, ZoneId zone) {
        RunSummary.Work work = run.work();
        return List.of(
                run.run(),
                run.state().text(),
                run.span().began().map(began -> TIME.format(began.atZone(zone))).orElse(NONE),
                run.span().began().map(began -> time(began, end(run, now))).orElse(NONE),
                Integer.toString(run.nodes().size()),
                work.round() == 0 ? NONE : Integer.toString(work.worldSize()),
                work.round() == 0 ? NONE : Long.toString(work.round()),
                step(work),
                run.logs().isPresent() ? Integer.toString(work.failures()) : NONE,
                run.policy().isEmpty() ? NONE : run.policy(),
                run.span().reason().isEmpty() ? NONE : run.span().reason());
    }

    /** One run that has ended, and where there is more about it. */
    public static String ended(RunSummary run, ZoneId zone) {
        RunSummary.Work work = run.work();
        List<String> lines = new ArrayList<>();
        lines.add("run " + run.run() + "  " + run.state().text()
                + (run.policy().isEmpty() ? "" : "  policy " + run.policy()));
        lines.add("no agent of it is on this host any more");
        run.span()
                .began()
                .ifPresent(began -> lines.add("started " + TIME.format(began.atZone(zone)) + ", last event "
                        + time(began, end(run, began)) + " later"));
        if (run.span().exitCode() >= 0) {
            lines.add(
                    "end: " + run.span().reason() + " (exit code " + run.span().exitCode() + ")");
        }
        lines.add("round " + work.round() + "  world size " + work.worldSize() + "  step " + step(work) + "  failures "
                + work.failures());
        lines.add("nodes with files here: " + String.join(", ", run.nodes()));
        run.logs().ifPresent(logs -> lines.add("logs: " + logs));
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(PlainText.line(line)).append(System.lineSeparator()));
        return text.toString();
    }

    private static Temporal end(RunSummary run, Instant now) {
        return run.state() == RunSummary.State.RUNNING ? now : run.span().last().orElse(now);
    }

    private static String time(Instant began, Temporal end) {
        return Durations.text(Math.max(0, Duration.between(began, end).toMillis()));
    }

    private static String step(RunSummary.Work work) {
        if (work.step() == 0) {
            return NONE;
        }
        return work.total() == 0 ? Long.toString(work.step()) : work.step() + " of " + work.total();
    }
}
