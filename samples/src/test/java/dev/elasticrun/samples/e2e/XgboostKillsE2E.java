/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Chaos;
import dev.elasticrun.samples.testing.TestRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Workers, nodes and agents die while XGBoost trains, and all are replaced: on all ranks the model is the one of a run in
 * which nobody died, bit by bit.
 */
@Timeout(300)
final class XgboostKillsE2E {
    private static final int ROUNDS = 40;

    private final Chaos chaos = new Chaos(Duration.ofMillis(300));

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("slow")
    void oneOfFourRanks_isKilled() {
        XgboostRuns training = new XgboostRuns(run, ROUNDS, 2, 2, "soft");
        AgentProcess[] agents = training.startAll();
        long round = training.awaitBoosted(chaos.draw(2, 8), 0, agents);

        int rank = chaos.draw(0, 3);
        kill(agents[rank / 2], rank % 2);
        training.awaitBoosted(1, round, agents);

        training.assertAsIfNothingHadHappened(agents);
    }

    @ParameterizedTest
    @Tag("soak")
    @CsvSource({
        "soft, 1, 2", "soft, 1, 4", "soft, 2, 1", "soft, 2, 2",
        "soft-replace, 1, 2", "soft-replace, 1, 4", "soft-replace, 2, 1", "soft-replace, 2, 2",
        "hard, 1, 2", "hard, 1, 4", "hard, 2, 1", "hard, 2, 2"
    })
    void eachRank_isKilled(String policy, int nodes, int workers) {
        XgboostRuns training = new XgboostRuns(run, 4 * ROUNDS, nodes, workers, policy);
        AgentProcess[] agents = training.startAll();
        long round = 0;
        for (int rank = 0; rank < nodes * workers; rank++) {
            round = training.awaitBoosted(run.lastStep() + chaos.draw(2, 8), round, agents);
            kill(agents[rank / workers], rank % workers);
        }
        training.awaitBoosted(1, round, agents);

        training.assertAsIfNothingHadHappened(agents);
    }

    @Test
    @Tag("slow")
    void allWorkersOfANode_areKilled() {
        XgboostRuns training = new XgboostRuns(run, ROUNDS, 2, 2, "soft");
        AgentProcess[] agents = training.startAll();
        long round = training.awaitBoosted(chaos.draw(2, 8), 0, agents);

        AgentProcess victim = agents[chaos.draw(0, 1)];
        List<ProcessHandle> workers = victim.log().running().stream()
                .map(slot -> victim.worker(slot.pid()))
                .toList();
        workers.forEach(ProcessHandle::destroyForcibly);
        training.awaitBoosted(1, round, agents);

        training.assertAsIfNothingHadHappened(agents);
    }

    /** The agent of rank 0's node has the tracker; a node that stands by takes its place. */
    @Test
    @Tag("slow")
    void agentWithTheTracker_isKilled() {
        XgboostRuns training = new XgboostRuns(run, ROUNDS, 2, 1, "soft", "--verbose");
        AgentProcess[] agents = training.startAll();
        long round = training.awaitBoosted(chaos.draw(2, 6), 0, agents);
        AgentProcess first = Links.await(agents).get(0);
        AgentProcess other = first == agents[0] ? agents[1] : agents[0];

        first.jvm().destroyForcibly();
        AgentProcess next = training.start();
        training.awaitBoosted(1, round, other, next);

        training.assertAsIfNothingHadHappened(other, next);
    }

    @Test
    @Tag("slow")
    void worker_isStopped() {
        XgboostRuns training =
                new XgboostRuns(run, ROUNDS, 1, 2, "soft-replace", "--hang-timeout", "2s", "--pause-timeout", "2s");
        AgentProcess[] agents = training.startAll();
        long round = training.awaitBoosted(20, 0, agents);

        int slot = chaos.draw(0, 1);
        AgentProcess.send(
                "STOP", agents[0].worker(agents[0].log().running().get(slot).pid()));
        training.awaitBoosted(1, round, agents);

        assertThat(agents[0].log().all(RunEvent.WorkerFailed.class)).anySatisfy(event -> {
            assertThat(event.found().how()).isEqualTo(FailureKind.HANG);
            assertThat(event.found().message()).contains("SIGSTOP");
        });
        training.assertAsIfNothingHadHappened(agents);
    }

    @Test
    @Tag("slow")
    void worker_endsWithinACheckpoint() {
        endWithin("Collective.checkpoint", 8);
    }

    @ParameterizedTest
    @Tag("soak")
    @CsvSource({"Communicator.init, 1", "Booster.update, 1", "Booster.update, 5", "Booster.evalSet, 5"})
    void worker_endsWithinACall(String method, int times) {
        endWithin(method, times);
    }

    private void endWithin(String method, int times) {
        XgboostRuns training = new XgboostRuns(run, ROUNDS, 1, 2, "soft-replace")
                .by(DoomedTraining.class, Integer.toString(chaos.draw(0, 1)), method, Integer.toString(times));
        AgentProcess[] agents = training.startAll();

        agents[0].await("the end of a worker", TestRun.LIMIT, log -> !log.all("worker.exited")
                .isEmpty());
        training.assertAsIfNothingHadHappened(agents);
        assertThat(agents[0].log().everStarted()).hasSize(3);
    }

    private static void kill(AgentProcess agent, int slot) {
        AgentLog.Slot victim = agent.log().running().get(slot);
        agent.worker(victim.pid()).destroyForcibly();
    }
}
