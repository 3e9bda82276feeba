/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.elasticrun.cli.GoldenFile;
import dev.elasticrun.cli.agents.AgentUse;
import dev.elasticrun.cli.agents.Sample;
import dev.elasticrun.cli.chaos.fault.Fault;
import dev.elasticrun.cli.chaos.fault.FaultKind;
import dev.elasticrun.cli.chaos.fault.FaultSchedule;
import dev.elasticrun.cli.chaos.fault.NetFaults;
import dev.elasticrun.cli.chaos.fault.Weather;
import dev.elasticrun.rendezvous.restart.Cause;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A storm of 20 s on two agents: a worker and an agent are killed, and one fault is left out. */
final class MeasurementTest {
    private static final CalmPace CALM = new CalmPace(StepCounter.CHECKPOINTS, 0.02, 500, 10, false);
    private static final List<GoodputForecast.Case> CASES = List.of(new GoodputForecast.Case(Duration.ofHours(6), 100));

    @Test
    void report_storm_countsStepsAgainstTheCalmPace() {
        ChaosReport report = report(events(), List.of(), Comparison.NONE, 0);

        assertThat(report.progress().steps()).isEqualTo(800);
        assertThat(report.progress().seconds()).isEqualTo(20, within(0.001));
        assertThat(report.progress().goodput()).isEqualTo(0.8, within(0.001));
        assertThat(report.progress().lostSeconds()).isEqualTo(2, within(0.001));
        assertThat(report.progress().rounds()).isEqualTo(4);
        assertThat(report.all().injected()).isEqualTo(2);
        assertThat(report.all().leftOut()).isOne();
        assertThat(report.kinds().get(0).resumed()).isEqualTo(new Percentiles(1, 50, 50));
        assertThat(report.forecast().get(0).goodput()).isEqualTo(1 / (1 + 100 * 2 / 21600.0), within(1e-4));
        assertThat(report.violations()).isEmpty();
    }

    @Test
    void report_stormThatEndsWhileWorkersStart_countsWhatWasReportedLast() {
        List<Sample> samples = new ArrayList<>(run(List.of()).samples());
        for (int second = 25; second <= 30; second++) {
            samples.set(second, new Sample(nanos(second * 1000L), 5, 2, 0, 0));
        }

        ChaosReport report = new Measurement(setup(), run(samples, List.of()), events().all(), CALM)
                .report(Comparison.NONE, CASES, List.of(), 0);

        assertThat(report.progress().steps()).isEqualTo(24 * 40 - 400);
        assertThat(report.progress().goodput()).isEqualTo(0.56, within(0.001));
    }

    @Test
    void report_goodputBelowTheBound_isMissed() {
        assertThat(report(events(), List.of(), Comparison.NONE, 0.9).violations())
                .singleElement()
                .asString()
                .startsWith("--min-goodput 0.9");
        assertThat(report(events(), List.of(), Comparison.NONE, 0.75).violations())
                .isEmpty();
    }

    @Test
    void report_resultThatDiffers_isMissed() {
        assertThat(report(events(), List.of(), new Comparison(true, false, "differs"), 0)
                        .violations())
                .singleElement()
                .asString()
                .startsWith("--compare");
    }

    @Test
    void report_runThatFailed_isMissed() {
        EventList events = events().ended("a", 19_000, false, 4, "the restart budget is used up");
        List<RunRecord.AgentEnd> ends =
                List.of(new RunRecord.AgentEnd(1, 4, List.of("last")), new RunRecord.AgentEnd(2, 4, List.of()));

        ChaosReport report = report(events, ends, Comparison.NONE, 0);

        assertThat(report.violations()).singleElement().asString().contains("exit code 4", "the restart budget");
        assertThat(report.agents().ended()).hasSize(2);
    }

    @Test
    @Tag("golden")
    void reports_ofAStorm_areThese() throws IOException {
        ChaosReport report = report(
                events(),
                List.of(new RunRecord.AgentEnd(2, 1, List.of("<last line>"))),
                new Comparison(true, false, "differs from that of the calm run from byte 7 on (9 and 9 bytes)"),
                0.9);

        GoldenFile.assertSame("chaos-report.txt", ReportText.of(report));
        GoldenFile.assertSame("chaos-report.json", ReportJson.of(report));
        GoldenFile.assertSame("chaos-report.html", ReportPage.of(report));
    }

    @Test
    void page_ofAnything_needsNothingFromElsewhere() {
        String page = ReportPage.of(report(events(), List.of(), Comparison.NONE, 0));

        assertThat(page).doesNotContain("<script", "src=", "href=", "@import", "url(");
        assertThat(page).contains("<svg", "</svg>");
    }

    @Test
    void report_programThatCountsNothing_hasNoGoodput() {
        ChaosReport report = new Measurement(setup(), run(List.of()), events().all(), CalmPace.UNKNOWN)
                .report(Comparison.NONE, CASES, List.of(), 0.5);

        assertThat(report.progress().goodput()).isNegative();
        assertThat(report.forecast()).isEmpty();
        assertThat(report.violations()).singleElement().asString().contains("not known");
        assertThat(ReportText.of(report)).contains("the program reports neither steps nor checkpoints");
    }

    @Test
    void report_paceOfQuietStretches_namesThem() {
        CalmPace quiet = new CalmPace(StepCounter.CHECKPOINTS, 0.02, 1600, 32, true);

        ChaosReport report = new Measurement(setup(), run(List.of()), events().all(), quiet)
                .report(Comparison.NONE, CASES, List.of(), 0);

        assertThat(ReportText.of(report))
                .contains("20.0 ms, by 1600 checkpoints in 32.0 s of the storm, 8 s and more after a fault");
    }

    private static ChaosReport report(
            EventList events, List<RunRecord.AgentEnd> ends, Comparison comparison, double minGoodput) {
        return new Measurement(setup(), run(ends), events.all(), CALM)
                .report(comparison, CASES, List.of("network faults are left out"), minGoodput);
    }

    private static EventList events() {
        return new EventList()
                .round(1, 100, 0, "a", "b")
                .paused("a", 15_000, 0, 600)
                .failed("b", 15_010, 77, 1)
                .decided("a", 15_015, 2, new Cause.WorkersFailed(List.of("b")))
                .round(2, 15_030, 600, "a")
                .round(3, 15_500, 610, "a", "b")
                .decided("a", 22_080, 4, new Cause.NodesLost(List.of("b")))
                .round(4, 22_100, 900, "a")
                .round(5, 24_100, 950, "a", "c");
    }

    private static RunRecord run(List<RunRecord.AgentEnd> ends) {
        return run(samples(), ends);
    }

    private static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        for (int second = 0; second <= 30; second++) {
            long round = second < 15 ? 1 : second < 16 ? 2 : second < 22 ? 3 : second < 24 ? 4 : 5;
            int world = round == 2 || round == 4 ? 1 : 2;
            samples.add(new Sample(nanos(second * 1000L), round, world, 0, second * 40L));
        }
        return samples;
    }

    private static RunRecord run(List<Sample> samples, List<RunRecord.AgentEnd> ends) {
        List<Fault> faults = List.of(
                fault(1, FaultKind.WORKER, 15_000, "b", 77),
                new Fault(
                        new FaultSchedule.Planned(2, nanos(5100), FaultKind.COORDINATOR, 0.5),
                        nanos(15_100),
                        "",
                        0,
                        "no second agent had a worker in the round"),
                fault(3, FaultKind.NODE, 22_000, "b", 5));
        List<AgentUse> uses = List.of(
                new AgentUse(nanos(10_000), 100 << 20, 30, 33),
                new AgentUse(nanos(20_000), 104 << 20, 35, 36),
                new AgentUse(nanos(30_000), 101 << 20, 31, 34));
        return new RunRecord(
                "chaos-1",
                Path.of("logs/chaos-1"),
                new RunRecord.Times(nanos(1000), nanos(10_000), nanos(30_000)),
                samples,
                uses,
                faults,
                ends);
    }

    private static Fault fault(int number, FaultKind kind, long millis, String node, long pid) {
        return new Fault(
                new FaultSchedule.Planned(number, nanos(millis - 10_000), kind, 0.25), nanos(millis), node, pid, "");
    }

    private static ChaosReport.Setup setup() {
        return new ChaosReport.Setup(
                "chaos-1",
                "soft",
                2,
                1,
                new Weather(
                        Map.of(FaultKind.WORKER, 2, FaultKind.NODE, 1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(20),
                        42),
                new NetFaults(5, Duration.ZERO, Duration.ofSeconds(2)),
                Duration.ofSeconds(10),
                List.of("--nnodes", "1:2", "app.jar", "<&>"),
                Path.of("/work"));
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
