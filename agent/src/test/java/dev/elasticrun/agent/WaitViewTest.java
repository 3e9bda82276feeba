/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.WaitView.Kind;
import dev.elasticrun.agent.WaitView.Surroundings;
import dev.elasticrun.agent.WaitView.Wait;
import dev.elasticrun.agent.rules.AgentEvent;
import dev.elasticrun.agent.rules.AgentFixture;
import dev.elasticrun.agent.rules.GroupState;
import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.golden.GoldenFile;
import dev.elasticrun.worker.contract.UpMessage;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class WaitViewTest {
    private static final Surroundings OTHER = new Surroundings("b", false, "", false);
    private static final Surroundings SELF = new Surroundings("a", true, "", false);

    @Test
    void launched_waitsForTheStore() {
        assertThat(wait(AgentFixture.soft(2), new Surroundings("", false, "", false)))
                .hasValueSatisfying(wait -> assertThat(wait.kind()).isEqualTo(Kind.STORE));
    }

    @Test
    void workersNotReady_areNamed() {
        AgentFixture agent = AgentFixture.soft(3).joined().started().reports(1, new UpMessage.Ready(4000));
        assertWait(agent, OTHER, Kind.WORKERS_READY, " 0 (pid 100), 2 (pid 102) ");
        agent.reports(0, new UpMessage.Ready(4001));
        assertWait(agent, OTHER, Kind.WORKERS_READY, " 2 (pid 102) ");
    }

    @Test
    void manyWorkers_areNotAllNamed() {
        assertThat(wait(AgentFixture.soft(9).joined().started(), OTHER)
                        .orElseThrow()
                        .whom())
                .contains(" 0 (pid 100), ", " 3 more ");
    }

    @Test
    void ready_waitsForTheFirstRound_andNamesTheCoordinator() {
        AgentFixture agent = AgentFixture.soft(1).prepared();
        assertWait(agent, OTHER, Kind.ROUND, "; b ");
        assertWait(agent, new Surroundings("", false, "", false), Kind.ROUND, "; no ");
        assertThat(wait(agent, SELF)).isEmpty();
        assertWait(agent, new Surroundings("a", true, "b is slow", false), Kind.ROUND, "; b is slow");
    }

    @Test
    void working_waitsForNobody() {
        assertThat(wait(AgentFixture.soft(2).working(), OTHER)).isEmpty();
        assertThat(wait(AgentFixture.hard(2).working(), OTHER)).isEmpty();
    }

    @Test
    void paused_waitsForItsWorkers_thenForTheRound() {
        AgentFixture agent = AgentFixture.soft(2).working();
        agent.round(RoundFixture.round(2).with("a", 0, 2).suspended());
        agent.reports(0, new UpMessage.Ack(3, 1, 1));
        assertWait(agent, OTHER, Kind.PAUSE, " 1 (pid 101) ");
        agent.reports(1, new UpMessage.Ack(3, 1, 1));
        assertWait(agent, OTHER, Kind.ROUND, " 2 (cause 2); b ");
    }

    @Test
    void leftOutOfTheRound_waitsForAPlace() {
        AgentFixture agent = AgentFixture.soft(1).prepared();
        agent.round(RoundFixture.round(1).with("b", 0, 1).with("c", 0, 1));
        assertThat(wait(agent, OTHER).orElseThrow().whom()).contains("round 1", "2 nodes", "; b ");
    }

    @Test
    void draining_waitsForTheWorkersThatAreLeft() {
        AgentFixture agent = AgentFixture.soft(2).working();
        agent.apply(new AgentEvent.DrainRequested(143)).later();
        assertThat(agent.group().phase()).isEqualTo(GroupState.Phase.STOPPING);
        agent.dies(0, 143);
        assertWait(agent, OTHER, Kind.WORKERS_GONE, " 1 (pid 101) ", "30s");
    }

    @Test
    void done_waitsForTheOthers() {
        AgentFixture agent = AgentFixture.soft(1).working().allExit(0);
        assertWait(agent, OTHER, Kind.OTHERS_DONE, ": b");
    }

    @Test
    void serving_waitsForTheOthersToLeave() {
        AgentFixture agent = AgentFixture.soft(1).working();
        assertThat(wait(agent, new Surroundings("b", false, "", true))
                        .orElseThrow()
                        .kind())
                .isEqualTo(Kind.OTHERS_GONE);
    }

    @Tag("golden")
    @Test
    void whom_ofEachWait_isAsInTheGoldenFile() throws IOException {
        Surroundings nobody = new Surroundings("", false, "", false);
        GoldenFile golden = GoldenFile.of(WaitViewTest.class, "waits.txt");
        add(golden, "the store", AgentFixture.soft(2), nobody);
        AgentFixture starting = AgentFixture.soft(3).joined().started().reports(1, new UpMessage.Ready(4000));
        add(golden, "workers that are not ready", starting, OTHER);
        add(golden, "one worker that is not ready", starting.reports(0, new UpMessage.Ready(4001)), OTHER);
        add(
                golden,
                "many workers that are not ready",
                AgentFixture.soft(9).joined().started(),
                OTHER);
        add(golden, "the first round", AgentFixture.soft(1).prepared(), OTHER);
        add(
                golden,
                "the first round without a coordinator",
                AgentFixture.soft(1).prepared(),
                nobody);
        AgentFixture paused = AgentFixture.soft(2).working();
        paused.round(RoundFixture.round(2).with("a", 0, 2).suspended()).reports(0, new UpMessage.Ack(3, 1, 1));
        add(golden, "an acknowledgement", paused, OTHER);
        add(golden, "the next round", paused.reports(1, new UpMessage.Ack(3, 1, 1)), OTHER);
        AgentFixture out = AgentFixture.soft(1).prepared();
        out.round(RoundFixture.round(1).with("b", 0, 1).with("c", 0, 1));
        add(golden, "a place", out, OTHER);
        AgentFixture draining = AgentFixture.soft(2).working();
        draining.apply(new AgentEvent.DrainRequested(143)).later();
        add(golden, "workers that are to end", draining.dies(0, 143), OTHER);
        add(golden, "workers of others", AgentFixture.soft(1).working().allExit(0), OTHER);
        add(golden, "nodes that use its store", AgentFixture.soft(1).working(), new Surroundings("b", false, "", true));
        golden.assertSame();
    }

    private static void add(GoldenFile golden, String title, AgentFixture agent, Surroundings around) {
        WaitNews news = new WaitNews();
        Optional<Wait> wait = wait(agent, around);
        news.of(wait, 0);
        golden.add(title, news.of(wait, TimeUnit.SECONDS.toNanos(7)).orElseThrow());
    }

    private static void assertWait(AgentFixture agent, Surroundings around, Kind kind, String... whom) {
        assertThat(wait(agent, around)).hasValueSatisfying(wait -> {
            assertThat(wait.kind()).isEqualTo(kind);
            assertThat(" " + wait.whom()).contains(whom);
        });
    }

    private static Optional<Wait> wait(AgentFixture agent, Surroundings around) {
        return WaitView.of(agent.state(), agent.settings, around);
    }
}
