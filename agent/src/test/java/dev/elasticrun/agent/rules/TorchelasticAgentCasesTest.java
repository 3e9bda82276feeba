/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.worker.WorkerInfos;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of docs/torchelastic-cases.md that one agent decides alone, under every policy. */
final class TorchelasticAgentCasesTest {
    private static final Verdict SUCCEEDED = new Verdict(true, 0, "done", List.of());
    private static final Verdict FAILED = new Verdict(false, 4, "no restart is left", List.of());

    static List<String> policies() {
        return List.of("hard", "soft-no-replace", "soft-replace");
    }

    /** Those under which a failed worker takes the others of its node with it. */
    static List<String> policiesThatStopPeers() {
        return List.of("hard", "soft-no-replace");
    }

    private static AgentFixture of(String policy, int slots) {
        return switch (policy) {
            case "hard" -> AgentFixture.hard(slots);
            case "soft-no-replace" -> AgentFixture.soft(slots);
            case "soft-replace" -> AgentFixture.replacing(slots);
            default -> throw new IllegalArgumentException(policy);
        };
    }

    /** A round of its two nodes that is stopped, as after a failure under {@code hard}. */
    private static RoundFixture stopped(int slots) {
        return RoundFixture.round(1).with("a", 0, slots).with("b", 0, 1).suspended();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a1_allWorkersEndWell_nodeIsDoneAndEachEndIsReportedOnce(String policy) {
        AgentFixture agent = of(policy, 2).working();

        assertThat(agent.exits(0, 0).logged()).containsExactly("worker.exited");
        assertThat(agent.exits(0, 0).logged()).isEmpty();
        assertThat(agent.exits(1, 0).logged()).containsExactly("worker.exited");

        assertThat(agent.state().phase()).isEqualTo(NodePhase.DONE);
        assertThat(agent.group().failures()).isEmpty();
    }

    @Test
    void a5_severalRolesOfUnequalSize_ranksAreConsecutiveInAllAndInEachRole() {
        Round round = RoundFixture.round(1)
                .with("a", 0, 4, "ps")
                .with("b", 0, 1, "trainer")
                .with("c", 0, 2, "trainer")
                .with("d", 0, 3, "trainer")
                .with("e", 0, 5, "ps")
                .build();
        List<WorkerInfo> all = new ArrayList<>();
        for (Participant node : round.participants()) {
            IntStream.range(0, node.size())
                    .forEach(slot -> all.add(WorkerInfos.of(round, node.nodeId(), slot, rank -> Map.of())));
        }

        assertThat(all).extracting(WorkerInfo::rank).containsExactlyElementsOf(upTo(15));
        assertThat(all).extracting(WorkerInfo::worldSize).containsOnly(15);
        List<WorkerInfo> servers =
                all.stream().filter(info -> info.roleName().equals("ps")).toList();
        assertThat(servers).extracting(WorkerInfo::roleRank).containsExactlyElementsOf(upTo(9));
        assertThat(servers).extracting(WorkerInfo::roleWorldSize).containsOnly(9);
        List<WorkerInfo> trainers =
                all.stream().filter(info -> info.roleName().equals("trainer")).toList();
        assertThat(trainers).extracting(WorkerInfo::roleRank).containsExactlyElementsOf(upTo(6));
        assertThat(trainers).extracting(WorkerInfo::roleWorldSize).containsOnly(6);
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a6_askedToStop_stopsTheWorkersOnceAndEndsWithTheSignalsCode(String policy) {
        AgentFixture agent = of(policy, 1).working().apply(new AgentEvent.DrainRequested(143));
        AgentEvent due = agent.effects(AgentEffect.Schedule.class).get(0).event();

        agent.round(RoundFixture.round(2).with("b", 0, 1));
        assertThat(agent.effects(AgentEffect.StopGroup.class)).hasSize(1);
        assertThat(agent.apply(due).effects(AgentEffect.StopGroup.class)).isEmpty();

        assertThat(agent.exits(0, 143).groupGone().effects(AgentEffect.Finish.class))
                .extracting(AgentEffect.Finish::exitCode)
                .containsExactly(143);
        assertThat(agent.groupGone().effects(AgentEffect.Finish.class)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a7_nodeIsDoneBeforeOthers_waitsForTheVerdictWithoutAnyTimeout(String policy) {
        AgentFixture agent = of(policy, 1).working().exits(0, 0);
        assertThat(agent.effects(AgentEffect.Schedule.class)).isEmpty();
        assertThat(agent.groupGone().effects(AgentEffect.Finish.class)).isEmpty();

        agent.round(RoundFixture.round(2).with("b", 0, 1));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.DONE);

        assertThat(exitCode(agent, SUCCEEDED)).isZero();
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a8_runFailsAfterThisNodeIsDone_endsWithTheRunsCode(String policy) {
        AgentFixture agent = of(policy, 1).working().exits(0, 0).groupGone();

        assertThat(exitCode(agent, FAILED)).isEqualTo(4);
    }

    @ParameterizedTest
    @MethodSource("policies")
    void a13_workerFails_isRecordedWithItsExitAndLastWords(String policy) {
        AgentFixture agent = of(policy, 2).working().exits(1, 137);

        assertThat(agent.group().failures()).singleElement().satisfies(failure -> {
            assertThat(failure.exitCode()).isEqualTo(137);
            assertThat(failure.pid()).isEqualTo(101);
            assertThat(failure.rank()).isEqualTo(1);
            assertThat(failure.message()).isEqualTo("exit code 137");
            assertThat(failure.lastStderr()).containsExactly("last words");
        });
        assertThat(agent.logged()).contains("worker.exited", "worker.failed");
    }

    @ParameterizedTest
    @MethodSource("policiesThatStopPeers")
    void a13_peerIsStoppedForAFailure_isNoFailure(String policy) {
        AgentFixture agent = of(policy, 2).working().exits(1, 137).round(stopped(2));

        agent.exits(0, 143);

        assertThat(agent.group().failures()).extracting(Failure::slot).containsExactly(1);
        assertThat(agent.logged()).containsExactly("worker.exited");
    }

    @ParameterizedTest
    @MethodSource("policiesThatStopPeers")
    void g14_workersAreStoppedForARestart_haveTheGraceOfTheFlag(String policy) {
        AgentFixture agent = of(policy, 2).working().exits(1, 137);
        if (policy.equals("hard")) {
            agent.round(stopped(2));
        }

        assertThat(agent.effects(AgentEffect.StopGroup.class))
                .containsExactly(new AgentEffect.StopGroup(0, AgentFixture.GRACE));
    }

    @Test
    void g14_workersAreStoppedForANewcomer_haveTheGraceOfTheFlag() {
        AgentFixture agent = AgentFixture.hard(1).working().round(stopped(1));

        assertThat(agent.effects(AgentEffect.StopGroup.class))
                .containsExactly(new AgentEffect.StopGroup(0, AgentFixture.GRACE));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void r15_standbyReceivesSuccess_endsWell(String policy) {
        AgentFixture agent =
                of(policy, 1).prepared().round(RoundFixture.round(1).with("b", 0, 1));
        assertThat(agent.state().phase()).isEqualTo(NodePhase.STANDBY);

        assertThat(exitCode(agent, SUCCEEDED)).isZero();
    }

    /** With which code the agent ends on the verdict, once its processes are gone. */
    private static int exitCode(AgentFixture agent, Verdict verdict) {
        agent.apply(new AgentEvent.VerdictReached(verdict));
        if (agent.effects(AgentEffect.Finish.class).isEmpty()) {
            agent.groupGone();
        }
        return agent.effects(AgentEffect.Finish.class).get(0).exitCode();
    }
}
