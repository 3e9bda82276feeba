/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.LoggedEvent;
import dev.elasticrun.agent.incident.Culprit;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.Incidents;
import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.e2e.LabCluster.Member;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store is killed and started again, or frozen: nobody sees a short outage, and a long one costs time but no round. */
@Tag("slow")
@Timeout(120)
final class StoreOutageE2E {
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = LEASE.plusSeconds(2);

    @RegisterExtension
    static final NetworkLab LAB = new NetworkLab(3);

    @RegisterExtension
    final TestRun run = new TestRun(LAB);

    @ParameterizedTest(name = "frozen: {0}")
    @ValueSource(booleans = {false, true})
    void store_awayShorterThanTheLeaseThenLonger_sameRoundGoesOn(boolean frozen) {
        LabCluster cluster = LabCluster.start(run, LAB, 3, TestRun.ENOUGH, "--lease-ttl", LEASE.toSeconds() + "s");

        outage(frozen, SHORT);
        run.awaitStep(run.lastStep() + 20);

        for (Member member : cluster.members()) {
            assertThat(member.agent().log().all("incident.paused")).isEmpty();
            assertThat(member.agent().log().all("node.fenced")).isEmpty();
        }

        stop(frozen);
        Patience.pause(LEASE);
        int reached = run.lastStep();
        Patience.pause(LONG.minus(LEASE));
        assertThat(run.lastStep()).as("progress while no lease is held").isEqualTo(reached);
        goOn(frozen);
        run.awaitStep(reached + 20);

        for (Member member : cluster.members()) {
            assertThat(member.agent().log().all("node.fenced")).isNotEmpty();
        }
        if (!frozen) {
            assertThat(pauses(cluster))
                    .as("what explain has of it")
                    .singleElement()
                    .satisfies(pause -> {
                        assertThat(pause.culprits())
                                .extracting(Culprit::what)
                                .containsOnly(Culprit.What.STORE_UNREACHABLE);
                        assertThat(pause.answer().survivors()).isEqualTo(3);
                        assertThat(pause.cost().stalled()).isPositive();
                    });
        }
        // Started again, etcd gives every lease its time anew; woken up, it may end them before anybody could renew.
        assertThat(cluster.endsWith(cluster.members())).as("rounds").isLessThanOrEqualTo(frozen ? 2 : 1);
    }

    /**
     * Started again, etcd gives every lease its time anew, so that no node is lost. But all workers, which compute for
     * longer, have closed their links, and none misses another.
     */
    @Test
    void store_awayLongerThanTheLeaseUnderHard_allStartAnew() {
        List<String> options =
                run.onEtcd("--nnodes", "2", "--restart-policy", "hard", "--lease-ttl", LEASE.toSeconds() + "s");
        List<String> program = run.training(4, (int) LONG.multipliedBy(2).toMillis());
        AgentProcess first = run.agent(LAB.node(0), options, program);
        AgentProcess second = run.agent(LAB.node(1), options, program);
        long round = run.awaitTogether(2, first, second);
        run.awaitStep(1);

        stop(false);
        Patience.pause(LONG);
        goOn(false);
        run.awaitTogether(round, 2, first, second);

        assertThat(Recoveries.coordinator(first, second).log().all("round.sealed"))
                .last()
                .satisfies(round2 -> assertThat(round2.text("cause")).startsWith("fenced "));
        run.hurryUp();
        for (AgentProcess agent : List.of(first, second)) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        }
        assertThat(run.trained()).hasSize(1);
    }

    private static List<IncidentReport> pauses(LabCluster cluster) {
        List<LoggedEvent> events = cluster.members().stream()
                .flatMap(member -> member.agent().log().everything().stream())
                .flatMap(event -> LoggedEvent.parse(event.fields().toString()).stream())
                .toList();
        return Incidents.of(events).stream().filter(IncidentReport::isPause).toList();
    }

    private static void outage(boolean frozen, Duration time) {
        stop(frozen);
        if (frozen) {
            Patience.pause(time);
        }
        goOn(frozen);
    }

    private static void stop(boolean frozen) {
        EtcdProcess etcd = LAB.etcd();
        if (frozen) {
            etcd.pause();
        } else {
            etcd.kill();
        }
    }

    private static void goOn(boolean frozen) {
        EtcdProcess etcd = LAB.etcd();
        if (frozen) {
            etcd.resume();
        } else {
            etcd.restart();
        }
    }
}
