/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.NetworkLab;
import dev.elasticrun.samples.testing.NetworkNode;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** One training run over nodes of a lab, one agent with one worker on each. */
final class LabCluster {
    /** Agents and workers that start together on two processors can stand still for seconds. */
    static final Duration LEASE = Duration.ofSeconds(5);

    /** On top of a lease: the store ends leases twice a second only, and the machine is shared. */
    static final Duration MARGIN = Duration.ofSeconds(3);

    private final TestRun run;
    private final List<Member> members = new ArrayList<>();

    /** An agent and where it runs. */
    record Member(NetworkNode node, AgentProcess agent) {}

    private LabCluster(TestRun run) {
        this.run = run;
    }

    /** Starts an agent on each node, and waits until all work together. */
    static LabCluster start(TestRun run, NetworkLab lab, int size, int steps, String... more) {
        LabCluster cluster = new LabCluster(run);
        List<String> options = new ArrayList<>(run.onEtcd(
                "--nnodes",
                "1:" + size,
                "--restart-policy",
                "soft",
                "--lease-ttl",
                LEASE.toSeconds() + "s",
                "--last-call-timeout",
                "60s"));
        options.addAll(List.of(more));
        for (int i = 0; i < size; i++) {
            NetworkNode node = lab.node(i);
            cluster.members.add(new Member(node, run.agent(node, options, run.training(steps))));
        }
        assertThat(cluster.awaitAll(0)).as("first round").isOne();
        run.awaitStep(10);
        return cluster;
    }

    List<Member> members() {
        return members;
    }

    /** The member whose agent was the first coordinator. */
    Member coordinator() {
        return members.stream()
                .filter(member -> !member.agent.log().all("coordinator.elected").isEmpty())
                .findFirst()
                .orElseThrow();
    }

    /** Those that are not the coordinator, in the order of ranks. */
    List<Member> others() {
        Member coordinator = coordinator();
        return members.stream().filter(member -> !member.equals(coordinator)).toList();
    }

    List<Member> without(Member... missing) {
        return members.stream()
                .filter(member -> !List.of(missing).contains(member))
                .toList();
    }

    /** Until all members work in a round after this one. */
    long awaitAll(long after) {
        return await(after, members);
    }

    /** Until these members work together in a round after this one. */
    long await(long after, List<Member> together) {
        return run.awaitTogether(
                after, together.size(), together.stream().map(Member::agent).toArray(AgentProcess[]::new));
    }

    /** Until the death of any member would be proved by others; they must be verbose. */
    void awaitLinks() {
        Links.await(members.stream().map(Member::agent).toArray(AgentProcess[]::new));
    }

    /** Sealed rounds by number, from the logs of all coordinators there were. */
    Map<Long, LoggedEvent> sealed() {
        Map<Long, LoggedEvent> rounds = new TreeMap<>();
        for (Member member : members) {
            for (LoggedEvent event : member.agent.log().all("round.sealed")) {
                assertThat(rounds.put(event.round(), event))
                        .as("round " + event.round() + " sealed once")
                        .isNull();
            }
        }
        return rounds;
    }

    /** How long after a time, by {@link System#nanoTime()}, a round was sealed. */
    Duration sealedAfter(long nanos, long round) {
        Patience.until("record of round " + round, TestRun.LIMIT, () -> sealed().containsKey(round), () -> "");
        return Duration.ofNanos(
                Objects.requireNonNull(sealed().get(round), "round " + round).nanos() - nanos);
    }

    /** The run ends well on these members, with so many rounds in all, and none of their workers was ever replaced. */
    void assertEndsWell(int rounds, List<Member> survivors) {
        assertThat(endsWith(survivors)).as("rounds").isEqualTo(rounds);
    }

    /** The run ends well on these members, and none of their workers was ever replaced; returns the number of rounds. */
    int endsWith(List<Member> survivors) {
        run.hurryUp();
        for (Member member : survivors) {
            assertThat(member.agent.exitCode(TestRun.LIMIT))
                    .as(member.agent::console)
                    .isZero();
            assertThat(member.agent.log().everStarted())
                    .as("workers ever started")
                    .hasSize(1);
        }
        assertThat(run.trained()).singleElement().satisfies(trained -> assertThat(trained.accuracy())
                .isGreaterThanOrEqualTo(0.95));
        return sealed().size();
    }
}
