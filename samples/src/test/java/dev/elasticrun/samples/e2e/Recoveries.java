/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Step;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import java.util.ArrayList;
import java.util.List;

/** What the tests of recovery on several nodes share: how agents are started, and what must hold at the end. */
final class Recoveries {
    /** Whoever dies here is proved dead: a lease only has to outlast the stalls of a machine with too much to do. */
    private static final String LEASE = "10s";

    static final int WORKERS = 2;

    private final TestRun run;
    private final String policy;
    private final List<String> options = new ArrayList<>();

    Recoveries(TestRun run, String policy) {
        this(run, policy, "2:3");
    }

    /** @param more options of all agents */
    Recoveries(TestRun run, String policy, String nnodes, String... more) {
        this.run = run;
        this.policy = policy;
        options.addAll(List.of("--nnodes", nnodes));
        options.addAll(List.of(more));
    }

    AgentProcess start() {
        List<String> all = run.onEtcd(
                "--nproc-per-node",
                Integer.toString(WORKERS),
                "--restart-policy",
                policy,
                "--lease-ttl",
                LEASE,
                "--last-call-timeout",
                "60s");
        all.addAll(options);
        return run.agent(all, run.training());
    }

    /** Of the workers that run, by local rank. */
    static List<Long> pids(AgentProcess agent) {
        return agent.log().running().stream().map(AgentLog.Slot::pid).toList();
    }

    /** Kills one worker. */
    static void killWorker(AgentProcess agent) {
        AgentLog.Slot victim = agent.log().running().get(1);
        agent.worker(victim.pid()).destroyForcibly();
    }

    /** Kills an agent together with its workers, as when a machine loses its power. */
    static void killNode(AgentProcess agent) {
        List<ProcessHandle> workers = agent.log().running().stream()
                .map(slot -> agent.worker(slot.pid()))
                .toList();
        agent.jvm().destroyForcibly();
        workers.forEach(ProcessHandle::destroyForcibly);
    }

    static AgentProcess coordinator(AgentProcess... agents) {
        return List.of(agents).stream()
                .filter(agent -> !agent.log().all("coordinator.elected").isEmpty())
                .findFirst()
                .orElseThrow();
    }

    void assertEndedWell(AgentProcess... survivors) {
        run.hurryUp();
        for (AgentProcess agent : survivors) {
            assertThat(agent.exitCode(TestRun.LIMIT))
                    .as(() -> agent.nodeId().orElse("") + ": " + agent.console())
                    .isZero();
        }
        assertTrained(run.trained());
    }

    /** One worker has printed the end of a training of {@link TestRun#ENOUGH} steps. */
    static void assertTrained(List<Trained> ends) {
        Trained.assertFaultFree(ends, TestRun.ENOUGH);
    }

    /** Each round goes on from the last checkpoint: at most so many of the steps that were printed are done twice. */
    void assertGoesOn(int doneTwice) {
        assertGoesOn(doneTwice, run.steps());
    }

    /** The same of these steps, in the order of rounds. */
    static void assertGoesOn(int doneTwice, List<Step> steps) {
        int reached = 0;
        long round = 0;
        for (Step step : steps) {
            if (step.round() != round && round != 0) {
                assertThat(step.step())
                        .as("first step of round " + step.round() + " after step " + reached)
                        .isBetween(Math.max(2, reached + 1 - doneTwice), reached + 2);
            }
            round = step.round();
            reached = Math.max(reached, step.step());
        }
        assertThat(reached).isEqualTo(TestRun.ENOUGH);
    }
}
