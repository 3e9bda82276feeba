/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.store.RunFile;
import dev.elasticrun.cli.GoldenFile;
import dev.elasticrun.proto.Metric;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class StatusViewTest {

    @Test
    @Tag("golden")
    void running_showsNodesWorkersAndBudget() throws IOException {
        GoldenFile.assertSame("status-running.txt", StatusView.render(running(), 120));
    }

    @Test
    @Tag("golden")
    void running_asJson_hasStableNames() throws IOException {
        GoldenFile.assertSame("status-running.json", StatusJson.of(running()));
    }

    @Test
    @Tag("golden")
    void noRound_andANodeWhoseTimeOutHasNotBegun_asJson() throws IOException {
        GoldenFile.assertSame(
                "status-kept-out.json",
                StatusJson.of(StatusReply.newBuilder()
                        .setRunId("demo")
                        .setRoundAgeMillis(-1)
                        .setTls("off")
                        .addNodes(node("a-1", "READY", false).toBuilder()
                                .setControlPort(4000)
                                .setKeptOut("its workers failed 3 times in a row")
                                .setKeptOutMillis(-1))
                        .addNodes(node("b-2", "READY", false).toBuilder()
                                .setKeptOut("its workers failed 3 times in a row"))
                        .build()));
    }

    @Test
    void checkpoint_thatAWorkerHasAndTheRoundDoesNotKnow_isTheSameInTextAndJson() {
        StatusReply ahead = running().toBuilder()
                .addNodes(node(
                        "e-5",
                        "ACTIVE",
                        true,
                        working(0, 5, 4).toBuilder().setVersion(2650).build()))
                .build();

        assertThat(StatusView.render(ahead, 120)).contains("checkpoint 2650");
        assertThat(StatusJson.of(ahead)).contains("\"checkpoint_version\" : 2650,");
    }

    @Test
    void node_thatIsKeptOut_hasAStateOfItsOwn_withTheReasonAndTheTimeLeft() {
        StatusReply kept = running().toBuilder()
                .addNodes(node("e-5", "READY", false).toBuilder()
                        .setKeptOut("its workers failed 3 times in a row")
                        .setKeptOutMillis(580_000))
                .build();

        assertThat(StatusView.render(kept, 120))
                .containsPattern("e-5 +KEPT OUT .*its workers failed 3 times in a row; for .* more");
        assertThat(StatusJson.of(kept)).contains("\"kept_out_ms\" : 580000");
    }

    @Test
    void rate_ofAProgramThatReportsNoSteps_isOfItsCommits() {
        StatusReply commits = running().toBuilder()
                .clearNodes()
                .addNodes(node(
                        "e-5",
                        "ACTIVE",
                        true,
                        working(0, 5, 4).toBuilder()
                                .setStep(0)
                                .setTotal(0)
                                .setStepsPerSecond(32)
                                .build()))
                .build();

        assertThat(StatusView.render(commits, 120)).contains("32 commits");
    }

    @Test
    @Tag("golden")
    void suspended_reportsIt() throws IOException {
        StatusReply suspended = running().toBuilder()
                .setSuspended(true)
                .setWorldSize(0)
                .setCause("node lost: b-2")
                .setWaitingFor("1 of at least 2 nodes are there (a-1)")
                .build();
        GoldenFile.assertSame("status-suspended.txt", StatusView.render(suspended, 120));
    }

    @Test
    void waiting_isReportedInFullOnANarrowScreen() {
        StatusReply waiting = running().toBuilder()
                .setWaitingFor("waiting for the workers of a-1, b-2 to report READY")
                .build();

        assertThat(StatusView.render(waiting, 40))
                .contains(String.join(
                        System.lineSeparator(), "waiting for the workers of a-1, b-2 to", "  report READY", "nodes: "));
    }

    @Test
    @Tag("golden")
    void noRoundYet_reportsWhatIsAwaited() throws IOException {
        StatusReply waiting = StatusReply.newBuilder()
                .setRunId("demo")
                .setIncarnation("0011223344556677")
                .setPolicy("hard")
                .setMinNodes(2)
                .setMaxNodes(2)
                .setMaxRestarts(3)
                .setAnsweredBy("a-1")
                .setRoundAgeMillis(-1)
                .addNodes(node("a-1", "STARTING", false))
                .build();
        GoldenFile.assertSame("status-waiting.txt", StatusView.render(waiting, 120));
    }

    @Test
    void restarts_withinAWindow_reportWhenTheNextComesBack() {
        StatusReply window = running().toBuilder()
                .setBudgetUsed(2)
                .setRestarts(9)
                .setRestartWindowMillis(3_600_000)
                .setRestartReturnsMillis(725_000)
                .build();

        assertThat(StatusView.render(window, 160))
                .contains("  restarts 2 of 3 used within 1 h, the next comes back in 12 min 5 s  checkpoint");
        assertThat(StatusView.render(
                        window.toBuilder().setRestartReturnsMillis(-1).build(), 160))
                .contains("  restarts 2 of 3 used within 1 h  checkpoint");
    }

    @Test
    void nodeThatBacksOff_isShownAsSuch() {
        StatusReply backingOff = running().toBuilder()
                .clearNodes()
                .addNodes(node("a-1", "BACKING_OFF", false))
                .build();

        assertThat(StatusView.render(backingOff, 160)).contains("BACKING OFF");
    }

    @Test
    void encryption_isReportedWhereOthersCanConnect() {
        assertThat(StatusView.render(running().toBuilder().setTls("off").build(), 120))
                .contains("policy soft-no-replace  encryption off");
        assertThat(StatusView.render(
                        running().toBuilder().setTls("ca sha256:00").build(), 120))
                .contains("policy soft-no-replace  encryption on");
        NodeStatus local = NodeStatus.newBuilder().setAddress("127.0.0.1").build();
        assertThat(StatusView.render(
                        running().toBuilder()
                                .clearNodes()
                                .addNodes(local)
                                .setTls("off")
                                .build(),
                        120))
                .doesNotContain("encryption");
    }

    @Test
    void narrow_cutsLinesAtTheRight() {
        assertThat(StatusView.render(running(), 40).lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(40))
                .anySatisfy(line -> assertThat(line).endsWith("~"));
    }

    @Test
    void severalRuns_areListed() {
        List<LocalRuns.LocalRun> agents = List.of(agent("one", "a-1"), agent("two", "b-2"), agent("one", "c-3"));
        assertThat(StatusView.runs(agents).lines())
                .containsExactly(
                        "several runs have agents here; choose one with --run-id:",
                        "  one  nodes a-1, c-3",
                        "  two  node b-2");
        assertThat(StatusJson.runs(agents)).contains("\"run\" : \"two\"").doesNotContain("key");
    }

    private static LocalRuns.LocalRun agent(String run, String node) {
        return new LocalRuns.LocalRun(
                new RunFile(
                        run, "0011", node, List.of("127.0.0.1:2379"), "127.0.0.1:1", "", RunFile.Served.NOTHING, null),
                new byte[16]);
    }

    private static StatusReply running() {
        return StatusReply.newBuilder()
                .setRunId("demo")
                .setIncarnation("0011223344556677")
                .setPolicy("soft-no-replace")
                .setMinNodes(2)
                .setMaxNodes(3)
                .setRound(4)
                .setWorld(3)
                .setCause("1 node joins")
                .setWorldSize(4)
                .setBudgetUsed(1)
                .setMaxRestarts(3)
                .setCoordinator("a-1")
                .setAnsweredBy("b-2")
                .setIncident(4)
                .setRoundAgeMillis(65_000)
                .setVersion(41)
                .addNodes(node("b-2", "ACTIVE", true, worker(0, 1, 99, 2), worker(1, 1, 100, 3)))
                .addNodes(node("a-1", "ACTIVE", true, working(0, 4711, 0), still(1, 4712, 1)))
                .addNodes(node("host-with-a-long-name-3", "STANDBY", false, ready(0, 12345)))
                .addNodes(node("d-4", "STARTING", false).toBuilder()
                        .setSilence("no answer within 200 ms")
                        .build())
                .build();
    }

    private static NodeStatus node(String id, String phase, boolean participant, WorkerStatus... workers) {
        return NodeStatus.newBuilder()
                .setNodeId(id)
                .setHostLabel(id)
                .setAddress("10.0.0.1")
                .setPhase(phase)
                .setParticipant(participant)
                .addAllWorkers(List.of(workers))
                .build();
    }

    private static WorkerStatus working(int slot, long pid, int rank) {
        return worker(slot, 0, pid, rank).toBuilder()
                .setState("working")
                .setStep(1234)
                .setTotal(5000)
                .setStepsPerSecond(4.25)
                .setVersion(41)
                .setMemoryBytes(512L << 20)
                .setStillMillis(80)
                .addMetrics(Metric.newBuilder().setName("loss").setValue(0.04512345678))
                .addMetrics(Metric.newBuilder().setName("learning rate").setValue(Double.NaN))
                .build();
    }

    private static WorkerStatus still(int slot, long pid, int rank) {
        return working(slot, pid, rank).toBuilder()
                .setStepsPerSecond(120.7)
                .setStillMillis(12_000)
                .setSection("evaluate")
                .setWaits(true)
                .build();
    }

    private static WorkerStatus ready(int slot, long pid) {
        return worker(slot, 0, pid, -1).toBuilder().setState("ready").build();
    }

    /** As the store has it, whose agent does not report more. */
    private static WorkerStatus worker(int slot, int attempt, long pid, int rank) {
        return WorkerStatus.newBuilder()
                .setSlot(slot)
                .setAttempt(attempt)
                .setPid(pid)
                .setRank(rank)
                .setStepsPerSecond(-1)
                .setStillMillis(-1)
                .build();
    }
}
