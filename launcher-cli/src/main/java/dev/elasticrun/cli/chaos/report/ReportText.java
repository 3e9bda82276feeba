/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.cli.agents.AgentUse;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.text.PlainText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report as text: a block for a terminal, and a row for a table of several storms in Markdown. Pure. */
public final class ReportText {
    private static final String UNKNOWN = "-";
    private static final int MIB_SHIFT = 20;

    private final ChaosReport report;
    private final StringBuilder text = new StringBuilder();

    private ReportText(ChaosReport report) {
        this.report = report;
    }

    public static String of(ChaosReport report) {
        ReportText page = new ReportText(report);
        page.head();
        page.figures();
        page.recovery();
        page.forecast();
        report.notes().forEach(note -> page.line("note: " + PlainText.line(note)));
        page.row();
        report.violations().forEach(missed -> page.line("MISSED: " + PlainText.line(missed)));
        return page.text.toString();
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private void line(String name, String value) {
        line(String.format(Locale.ROOT, "%-11s%s", name, value));
    }

    private void head() {
        ChaosReport.Setup setup = report.setup();
        line("chaos: run " + setup.runId() + " under " + setup.policy() + ", " + count(setup.agents(), "agent")
                + " with "
                + count(setup.workersPerAgent(), "worker") + " each, seed "
                + setup.weather().seed());
    }

    private void figures() {
        ChaosReport.Progress progress = report.progress();
        ChaosReport.KindRow all = report.all();
        line(
                "storm",
                fixed(progress.seconds(), 1) + " s, a fault every "
                        + SettingTexts.text(report.setup().weather().every()) + " on average, " + all.injected()
                        + " injected, " + all.leftOut() + " left out" + whyLeftOut());
        if (!report.setup().net().isNone()) {
            line("network", report.setup().net().text());
        }
        line("calm step", calmStep());
        line(
                "goodput",
                progress.goodput() < 0
                        ? "not known"
                        : share(progress.goodput()) + ": " + progress.steps() + " "
                                + report.calm().counter().text() + " of "
                                + fixed(report.calm().stepSeconds() * 1000, 1) + " ms; a fault cost "
                                + (progress.lostSeconds() < 0
                                        ? "nothing, as there was none"
                                        : fixed(progress.lostSeconds() * 1000, 0) + " ms on average"));
        line("rounds", Long.toString(progress.rounds()));
        line(
                "work",
                report.repeats().steps() + " steps done twice, "
                        + report.repeats().versions() + " checkpoints lost, all state lost "
                        + report.repeats().stateLosses() + " times");
        ChaosReport.Agents agents = report.agents();
        line(
                "agents",
                agents.ended().size() + " ended by themselves" + endings()
                        + "; at the start of the storm, at its end, and most: memory "
                        + three(mib(agents.atStart()), mib(agents.atEnd()), mib(agents.most())) + " MiB, files "
                        + three(
                                agents.atStart().files(),
                                agents.atEnd().files(),
                                agents.most().files())
                        + ", threads "
                        + three(
                                agents.atStart().threads(),
                                agents.atEnd().threads(),
                                agents.most().threads()));
        line("result", report.comparison().text());
    }

    private String whyLeftOut() {
        List<String> why = report.timeline().faults().stream()
                .map(ChaosReport.FaultMark::fault)
                .filter(fault -> !fault.isInjected())
                .map(Fault::leftOut)
                .distinct()
                .toList();
        return why.isEmpty() ? "" : " (" + String.join("; ", why) + ")";
    }

    private String endings() {
        String codes = report.agents().ended().stream()
                .map(end -> Integer.toString(end.exitCode()))
                .distinct()
                .collect(Collectors.joining(", "));
        return codes.isEmpty() ? "" : " (exit code " + codes + ")";
    }

    private String calmStep() {
        CalmPace calm = report.calm();
        return calm.stepSeconds() <= 0
                ? "not known: the program reports neither steps nor checkpoints"
                : fixed(calm.stepSeconds() * 1000, 1) + " ms, by " + calm.steps() + " "
                        + calm.counter().text() + " in " + fixed(calm.seconds(), 1)
                        + (calm.isOfStorm()
                                ? " s of the storm, " + QuietStretches.AFTER_SECONDS
                                        + " s and more after a fault, where steps were faster than before it"
                                : " s without a fault, the second half of that time");
    }

    private void recovery() {
        line("");
        line(String.format(
                Locale.ROOT,
                "%-13s%7s%10s%18s%18s%19s  %s",
                "recovery, ms",
                "faults",
                "left out",
                "detected 50, 99",
                "all work 50, 99",
                "full size 50, 99",
                "not measured"));
        report.kinds().forEach(this::recovery);
        recovery(report.all());
    }

    private void recovery(ChaosReport.KindRow row) {
        line(String.format(
                        Locale.ROOT,
                        "%-13s%7d%10d%18s%18s%19s  %s",
                        row.kind(),
                        row.injected(),
                        row.leftOut(),
                        both(row.detected()),
                        both(row.resumed()),
                        both(row.complete()),
                        rest(row))
                .stripTrailing());
    }

    private static String rest(ChaosReport.KindRow row) {
        StringBuilder rest = new StringBuilder();
        add(rest, row.withoutRank(), Recovery.Outcome.WITHOUT_RANK);
        add(rest, row.notReported(), Recovery.Outcome.NOT_REPORTED);
        add(rest, row.open(), Recovery.Outcome.OPEN);
        return rest.toString();
    }

    private static void add(StringBuilder rest, int count, Recovery.Outcome outcome) {
        if (count > 0) {
            rest.append(rest.length() == 0 ? "" : ", ")
                    .append(count)
                    .append(' ')
                    .append(outcome.text());
        }
    }

    private void forecast() {
        if (report.forecast().isEmpty()) {
            return;
        }
        line("");
        line("forecast of goodput, at this cost of a fault");
        report.forecast()
                .forEach(one -> line(String.format(
                        Locale.ROOT,
                        "%6d nodes, each failing every %7s: %s",
                        one.run().nodes(),
                        hours(one.run().mtbf().toMinutes()),
                        share(one.goodput()))));
        line("");
    }

    private static String hours(long minutes) {
        return minutes % 60 == 0 ? minutes / 60 + " h" : minutes + " min";
    }

    private void row() {
        ChaosReport.Agents agents = report.agents();
        line("| policy | faults: " + String.join(", ", FaultKind.texts())
                + " | rounds | goodput | recovery p50, p99, ms | steps done twice | state lost"
                + " | agents that ended | memory of agents at start, end, most, MiB | files |");
        line("|---|---|---|---|---|---|---|---|---|---|");
        line("| " + report.setup().policy() + " | "
                + report.kinds().stream()
                        .map(row -> Integer.toString(row.injected()))
                        .collect(Collectors.joining(", "))
                + " | " + report.progress().rounds() + " | "
                + (report.progress().goodput() < 0
                        ? UNKNOWN
                        : share(report.progress().goodput())) + " | "
                + both(report.all().resumed()) + " | " + report.repeats().steps() + " | "
                + report.repeats().stateLosses() + " | " + agents.ended().size() + " | "
                + three(mib(agents.atStart()), mib(agents.atEnd()), mib(agents.most())) + " | "
                + three(
                        agents.atStart().files(),
                        agents.atEnd().files(),
                        agents.most().files()) + " |");
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static String three(long start, long end, long most) {
        return start + ", " + end + ", " + most;
    }

    private static long mib(AgentUse use) {
        return use.residentBytes() >> MIB_SHIFT;
    }

    private static String both(Percentiles times) {
        return times.count() == 0 ? UNKNOWN : fixed(times.p50(), 0) + ", " + fixed(times.p99(), 0);
    }

    /** Of 1. */
    static String share(double value) {
        return fixed(value, 3);
    }

    static String fixed(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }
}
