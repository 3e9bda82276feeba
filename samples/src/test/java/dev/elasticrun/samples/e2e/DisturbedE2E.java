/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.e2e.LabCluster.Member;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.BusyProcessors;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What makes nodes slow but does not take them away changes no membership. */
@Tag("slow")
@Timeout(120)
@Tag("alone")
final class DisturbedE2E {
    private static final Duration PAUSE = Duration.ofMillis(300);

    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(3);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @Test
    void nodes_busyAndPausedShortly_stayInTheirRound() {
        LabCluster cluster = LabCluster.start(run, LAB, 3, TestRun.ENOUGH);

        try (BusyProcessors busy = BusyProcessors.start(2)) {
            for (int i = 0; i < 3; i++) {
                for (Member member : cluster.members()) {
                    assertThat(busy.isBusy()).isTrue();
                    pauseShortly(member.agent().jvm());
                    pauseShortly(member.agent()
                            .worker(member.agent().log().running().get(0).pid()));
                }
            }
        }

        cluster.assertEndsWell(1, cluster.members());
    }

    @Test
    void packets_oneInFiveLost_runEndsWell() {
        LabCluster cluster = LabCluster.start(run, LAB, 3, TestRun.ENOUGH);

        LAB.all().forEach(node -> node.lose(20));
        Patience.pause(Duration.ofSeconds(5));
        LAB.all().forEach(node -> node.heal());

        // Luck may keep a node silent for a whole lease: then it leaves and returns, and that is all.
        long rounds = cluster.endsWith(cluster.members());
        assertThat(rounds).as("rounds").isLessThanOrEqualTo(3);
    }

    @Test
    void packets_oneInTwentyTwiceAndOneInTwentyLate_costNobodyAndNoSum() {
        LAB.disorder(5);
        int sums = 60;
        List<AgentProcess> agents = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            agents.add(run.agent(
                    LAB.node(i),
                    run.onEtcd(
                            "--nnodes",
                            "3",
                            "--restart-policy",
                            "soft",
                            "--lease-ttl",
                            LabCluster.LEASE.toSeconds() + "s",
                            "--class-path",
                            Project.ROOT.resolve("samples/target/test-classes").toString(),
                            "--main-class",
                            SumProgram.class.getName()),
                    List.of("samples/target/elastic-samples.jar", Integer.toString(sums), "16384")));
        }

        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().everStarted()).hasSize(1);
            assertThat(agent.log().all("work.published")).hasSize(1);
            assertThat(agent.workerOutput(0, 0).lines())
                    .containsExactlyElementsOf(IntStream.rangeClosed(1, sums)
                            .mapToObj(sum -> "sum " + sum + " of 3")
                            .toList());
        }
        // Else nothing was repeated, or nothing out of order.
        assertThat(counted("TCPDSACKOldSent")).as("segments that came twice").isPositive();
        assertThat(counted("TCPOFOQueue")).as("segments that came early").isPositive();
    }

    private static long counted(String event) {
        return LAB.all().stream().mapToLong(node -> node.counted(event)).sum();
    }

    @Test
    void connections_slowInBothDirections_runEndsWell() {
        Duration delay = Duration.ofMillis(50);
        int steps = 20;
        LAB.delay(delay);
        LabCluster cluster = LabCluster.start(run, LAB, 3, steps);

        cluster.assertEndsWell(1, cluster.members());
        AgentLog log = cluster.members().get(0).agent().log();
        long worked = log.all("worker.exited").get(0).nanos()
                - log.all("worker.resumed").get(0).nanos();
        // To the root of the tree and back: else nothing was delayed.
        assertThat(Duration.ofNanos(worked)).isGreaterThan(delay.multipliedBy(2L * (steps - 1)));
    }

    private static void pauseShortly(ProcessHandle process) {
        AgentProcess.send("STOP", process);
        Patience.pause(PAUSE);
        AgentProcess.send("CONT", process);
    }
}
