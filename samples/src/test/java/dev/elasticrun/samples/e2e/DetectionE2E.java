/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.TestRun;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two agents die at the same instant: whoever is left proves both deaths, long before their leases would end. */
@Timeout(240)
final class DetectionE2E {
    /** So long that a round without the dead can only come from proofs. */
    private static final Duration LEASE = Duration.ofSeconds(20);

    private static final int NODES = 4;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    @Tag("slow")
    void coordinatorAndItsSuccessor_killedTogether_areProvedByTheOthers() {
        List<AgentProcess> ring = form();
        AgentProcess coordinator = Recoveries.coordinator(ring.toArray(AgentProcess[]::new));
        int first = ring.indexOf(coordinator);

        assertProved(ring, coordinator, ring.get((first + 1) % NODES));
    }

    @Test
    @Tag("once")
    void twoNeighboursOfTheCoordinator_killedTogether_areProvedByTheOthers() {
        List<AgentProcess> ring = form();
        int coordinator = ring.indexOf(Recoveries.coordinator(ring.toArray(AgentProcess[]::new)));

        assertProved(ring, ring.get((coordinator + 1) % NODES), ring.get((coordinator + 2) % NODES));
    }

    /** Four agents at work, in rank order. */
    private List<AgentProcess> form() {
        AgentProcess[] agents = Stream.generate(this::start).limit(NODES).toArray(AgentProcess[]::new);
        run.awaitTogether(NODES, agents);
        return Links.await(agents);
    }

    private void assertProved(List<AgentProcess> ring, AgentProcess... dying) {
        List<AgentProcess> survivors =
                ring.stream().filter(agent -> !List.of(dying).contains(agent)).toList();
        long round = survivors.get(0).log().running().get(0).resumedRound();
        List<ProcessHandle> processes = Stream.of(dying).map(AgentProcess::jvm).toList();

        long killed = System.nanoTime();
        processes.forEach(ProcessHandle::destroyForcibly);
        run.awaitTogether(round, survivors.size(), survivors.toArray(AgentProcess[]::new));
        run.hurryUp();

        List<LoggedEvent> proofs = events(survivors, "node.proved_dead");
        assertThat(proofs)
                .extracting(event -> event.text("dead"))
                .contains(dying[0].nodeId().orElseThrow(), dying[1].nodeId().orElseThrow());
        List<LoggedEvent> sealed = events(survivors, "round.sealed").stream()
                .filter(event -> event.nanos() > killed)
                .sorted(Comparator.comparingLong(LoggedEvent::nanos))
                .toList();
        LoggedEvent last = sealed.get(sealed.size() - 1);
        assertThat(sealed).as("rounds for two losses").hasSizeBetween(1, 2);
        assertThat(last.number("world_size")).isEqualTo(2);
        assertThat(Duration.ofNanos(last.nanos() - killed)).isLessThan(LEASE);
        for (AgentProcess agent : survivors) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().everStarted()).as("workers ever started").hasSize(1);
        }
    }

    private static List<LoggedEvent> events(List<AgentProcess> agents, String kind) {
        return agents.stream().flatMap(agent -> agent.log().all(kind).stream()).toList();
    }

    private AgentProcess start() {
        return run.agent(
                run.onEtcd(
                        "--nnodes",
                        "2:" + NODES,
                        "--verbose",
                        "--restart-policy",
                        "soft",
                        "--lease-ttl",
                        LEASE.toSeconds() + "s",
                        "--last-call-timeout",
                        "60s"),
                run.training());
    }
}
