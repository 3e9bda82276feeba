/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.incident.IncidentTimeline;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.terms.RestartBudget;
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
    private final IncidentLines render = new IncidentLines("demo", "a-1", RestartBudget.of(3));
    private final IncidentTimeline timeline = new IncidentTimeline("a-1", nanos -> 0);
    private final List<IncidentLines.Line> lines = new ArrayList<>();
    private Round round =
            RoundFixture.round(1).with("a-1", 0, 2).with("b-1", 0, 2).build();
    private long millis;

    @Tag("golden")
    @Test
    void text_ofEachLine_isAsInTheGoldenFile() throws IOException {
        GoldenFile golden = GoldenFile.of(IncidentLinesTest.class, "incident-lines.txt");
        add(golden, "a worker that is killed", IncidentLinesTest::dies);
        add(golden, "the store is away while the round goes on", IncidentLinesTest::missesTheStore);
        add(golden, "survivors that go back", IncidentLinesTest::goesBack);
        add(golden, "a failure before a round that follows from another", IncidentLinesTest::failsBeforeARound);
        golden.assertSame();
    }

    private static void add(GoldenFile golden, String title, Consumer<IncidentLinesTest> scenario) {
        IncidentLinesTest agent = new IncidentLinesTest();
        scenario.accept(agent);
        golden.add(title, agent.lines.stream().map(IncidentLines.Line::text).collect(Collectors.joining("\n")));
    }

    @Test
    void start_isNoIncident() {
        works(0);

        assertThat(lines).isEmpty();
    }

    @Test
    void death_isOneWarning_andOneLineWhenItIsOver() {
        dies();

        assertThat(lines).extracting(IncidentLines.Line::isWarning).containsExactly(true, false);
        assertThat(lines.get(0).text()).contains("rank 1", "a-1", "pid 77", "SIGKILL");
        assertThat(lines.get(1).text())
                .contains("round 2", "105 ms", "4 -> 2", "0 of 3", "elastic-run explain 2 --run-id demo");
    }

    private void dies() {
        works(0);
        millis = 1000;
        see(
                "worker.failed",
                Map.of("slot", 1, "rank", 1, "pid", 77L, "how", "signal", "message", "killed by SIGKILL (9)"));
        see("round.decided", Map.of("cause", "worker failed on a-1", "next_round", 2L));
        see("worker.exited", Map.of("slot", 1, "version", 40L));
        millis += 5;
        see("incident.paused", Map.of());
        see("pause.acknowledged", Map.of("slot", 0, "version", 40L));
        round = RoundFixture.round(2).with("a-1", 0, 2).build();
        millis += 100;
        works(40);
    }

    @Test
    void storeAwayWhileTheRoundGoesOn_isTheCause() {
        missesTheStore();

        assertThat(lines)
                .singleElement()
                .extracting(IncidentLines.Line::text)
                .asString()
                .contains("round 1");
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

        assertThat(lines)
                .singleElement()
                .extracting(IncidentLines.Line::text)
                .asString()
                .contains("41 to 40");
    }

    private void goesBack() {
        works(0);
        see("incident.paused", Map.of());
        see("pause.acknowledged", Map.of("slot", 0, "version", 41L));
        round = RoundFixture.round(2).with("a-1", 0, 2).build();
        works(40);
    }

    @Test
    void failure_beforeARound_hasNoRank_andOneThatFollows_saysSo() {
        failsBeforeARound();

        assertThat(lines)
                .singleElement()
                .extracting(IncidentLines.Line::text)
                .asString()
                .contains("a-1", "pid 5");
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
                .forEach(fact -> render.of(fact).ifPresent(lines::add));
    }
}
