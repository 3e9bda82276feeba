/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.incident.IncidentTimeline;
import dev.elasticrun.agent.rules.AgentFixture;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.Cause;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class IncidentLinesTest {
    private IncidentLines render = of(AgentFixture.soft(2));
    private final IncidentTimeline timeline = new IncidentTimeline("a", nanos -> 0);
    private final List<IncidentLines.Line> lines = new ArrayList<>();
    private Round round =
            RoundFixture.round(1).with("a", 0, 2).with("b-1", 0, 2).build();
    private long millis;

    @Tag("golden")
    @Test
    void text_ofEachLine_isAsInTheGoldenFile() throws IOException {
        GoldenFile golden = GoldenFile.of(IncidentLinesTest.class, "incident-lines.txt");
        add(golden, "a worker that is killed", IncidentLinesTest::dies);
        add(golden, "the store is away while the round goes on", IncidentLinesTest::missesTheStore);
        add(golden, "survivors that go back", IncidentLinesTest::goesBack);
        add(golden, "a failure before a round that follows from another", IncidentLinesTest::failsBeforeARound);
        add(golden, "a worker that is killed where its peers go on", AgentFixture.elastic(2), IncidentLinesTest::dies);
        add(
                golden,
                "a worker that is killed where its peers wait for another",
                AgentFixture.replacing(2),
                IncidentLinesTest::dies);
        add(golden, "a program that does not report that it works", AgentFixture.hard(2), IncidentLinesTest::restarts);
        add(golden, "steps that are made again", IncidentLinesTest::repeatsSteps);
        add(golden, "a world that grows", IncidentLinesTest::grows);
        add(golden, "a peer that is lost and comes back while all wait", IncidentLinesTest::waits);
        golden.assertSame();
    }

    private static void add(GoldenFile golden, String title, Consumer<IncidentLinesTest> scenario) {
        add(golden, title, AgentFixture.soft(2), scenario);
    }

    private static IncidentLines of(AgentFixture agent) {
        return new IncidentLines("demo", agent.settings, 1);
    }

    private static void add(
            GoldenFile golden, String title, AgentFixture fixture, Consumer<IncidentLinesTest> scenario) {
        IncidentLinesTest agent = new IncidentLinesTest();
        agent.render = of(fixture);
        scenario.accept(agent);
        golden.add(title, agent.lines.stream().map(IncidentLines.Line::text).collect(Collectors.joining("\n")));
    }

    @Test
    void start_isOneLine() {
        works(0);

        assertThat(lines).singleElement().satisfies(line -> {
            assertThat(line.isWarning()).isFalse();
            assertThat(line.text()).contains("round 1", "4 workers", "2 nodes");
        });
    }

    @Test
    void death_isOneWarning_andOneLineWhenItIsOver() {
        dies();

        assertThat(lines).extracting(IncidentLines.Line::isWarning).containsExactly(false, true, false);
        assertThat(lines.get(1).text()).contains("rank 1", "node a", "pid 77", "SIGKILL", "2 workers continue");
        assertThat(lines.get(2).text())
                .contains("recovered", "105 ms", "4 -> 2", "0/3", "elastic-run explain 2 --run-id demo");
    }

    private void dies() {
        works(0);
        millis = 1000;
        see(
                "worker.failed",
                Map.of(
                        "slot",
                        1,
                        "rank",
                        1,
                        "pid",
                        77L,
                        "exit_code",
                        137,
                        "how",
                        "signal",
                        "message",
                        "killed by SIGKILL (9)"));
        see("round.decided", Map.of("cause", "worker failed on a", "next_round", 2L));
        see("worker.exited", Map.of("slot", 1, "version", 40L));
        millis += 5;
        see("incident.paused", Map.of());
        see("pause.acknowledged", Map.of("slot", 0, "version", 40L));
        round = RoundFixture.round(2).with("a", 0, 2).build();
        millis += 100;
        works(40);
    }

    @Test
    void storeAwayWhileTheRoundGoesOn_isTheCause() {
        missesTheStore();

        assertThat(lines)
                .last()
                .extracting(IncidentLines.Line::text)
                .asString()
                .contains("the store was not reachable");
    }

    private void missesTheStore() {
        works(0);
        see("incident.paused", Map.of("paused_round", 1L));
        see("node.fenced", Map.of("working_round", 1L));
        see("pause.acknowledged", Map.of("slot", 0, "version", 41L));
        works(41);
    }

    @Test
    void survivors_thatGoBack_nameBothCheckpoints() {
        goesBack();

        assertThat(lines).last().extracting(IncidentLines.Line::text).asString().contains("41 to 40");
    }

    @Test
    void steps_waitForTheFirstOfTheRound() {
        works(0);
        lines.clear();
        pausesAtStep(120);
        works(40);
        assertThat(lines).isEmpty();

        see("worker.progressed", Map.of("slot", 0, "rank", 0, "step", 101L));

        assertThat(lines)
                .singleElement()
                .extracting(IncidentLines.Line::text)
                .asString()
                .contains("20 steps lost");
    }

    @Test
    void steps_thatAreNotReportedSoon_areLeftOut() {
        works(0);
        pausesAtStep(120);
        works(41);

        assertThat(render.pending()).isPresent();
        assertThat(render.flush()).singleElement().satisfies(line -> assertThat(line.text())
                .contains("no checkpoint lost")
                .doesNotContain("step"));
        assertThat(render.pending()).isEmpty();
        assertThat(render.flush()).isEmpty();
    }

    private void repeatsSteps() {
        works(0);
        pausesAtStep(120);
        works(40);
        see("worker.progressed", Map.of("slot", 0, "rank", 0, "step", 120L));
    }

    private void pausesAtStep(long step) {
        see("incident.paused", Map.of());
        see("pause.acknowledged", Map.of("slot", 0, "version", 41L, "step", step));
        round = RoundFixture.round(2).with("a", 0, 2).build();
    }

    private void grows() {
        works(0);
        see("incident.paused", Map.of());
        round = RoundFixture.round(2)
                .with("a", 0, 2)
                .with("b-1", 0, 2)
                .with("c-1", 0, 2)
                .build();
        works(0);
    }

    @Test
    void lossOfANodeThatIsNeeded_hasOthersWait() {
        render = new IncidentLines("demo", AgentFixture.soft(2).settings, 2);
        dies();

        assertThat(lines.get(1).text()).contains("2 workers wait");
    }

    private void waits() {
        works(0);
        see("incident.paused", Map.of());
        Round suspended = RoundFixture.round(2)
                .with("a", 0, 2)
                .suspended()
                .because(new Cause.NodesLost(List.of("b-1")))
                .build();
        timeline.see(suspended, 0);
        round = RoundFixture.round(3).with("a", 0, 2).with("b-2", 0, 2).build();
        works(0);
    }

    private void restarts() {
        see("work.published", Map.of());
        fails();
        see("workers.stopping", Map.of());
        round = RoundFixture.round(2).with("a", 1, 2).with("b-1", 1, 2).build();
        see("work.published", Map.of());
    }

    private void fails() {
        see(
                "worker.failed",
                Map.of("slot", 1, "rank", 1, "pid", 77L, "exit_code", 1, "how", "exit_code", "message", "exit code 1"));
    }

    private void goesBack() {
        works(0);
        see("incident.paused", Map.of());
        see("pause.acknowledged", Map.of("slot", 0, "version", 41L));
        round = RoundFixture.round(2).with("a", 0, 2).build();
        works(40);
    }

    @Test
    void failure_beforeARound_hasNoRank_andOneThatFollows_reportsIt() {
        failsBeforeARound();

        assertThat(lines)
                .singleElement()
                .extracting(IncidentLines.Line::text)
                .asString()
                .contains("node a", "pid 5");
    }

    private void failsBeforeARound() {
        see(
                "worker.failed",
                Map.of(
                        "slot",
                        0,
                        "rank",
                        -1,
                        "pid",
                        5L,
                        "exit_code",
                        1,
                        "how",
                        "exit_code",
                        "message",
                        "exit code 1",
                        "collateral",
                        true));
    }

    private void works(long version) {
        see("work.published", Map.of());
        for (int slot = 0; slot < 2; slot++) {
            see("worker.resumed", Map.of("slot", slot, "resumed_round", round.number(), "version", version));
        }
    }

    private void see(String kind, Map<String, ?> fields) {
        timeline.see(EventFields.parse(kind, fields), round, TimeUnit.MILLISECONDS.toNanos(millis))
                .forEach(fact -> lines.addAll(render.of(fact)));
    }
}
