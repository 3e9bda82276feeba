/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.rules.RoundFixture;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.worker.contract.PeerTable;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class WorkerInfosTest {

    @Test
    void of_differentSlots_ranksAreZeroToFiveOnce() {
        Round round = RoundFixture.round(3)
                .with("a", 0, 1)
                .with("b", 0, 2)
                .with("c", 0, 3)
                .build();

        List<WorkerInfo> all = infos(round);

        assertThat(all)
                .extracting(WorkerInfo::rank)
                .containsExactlyElementsOf(IntStream.range(0, 6).boxed().toList());
        assertThat(all).extracting(WorkerInfo::localRank).containsExactly(0, 0, 1, 0, 1, 2);
        assertThat(all).extracting(WorkerInfo::localWorldSize).containsExactly(1, 2, 2, 3, 3, 3);
        assertThat(all).extracting(WorkerInfo::groupRank).containsExactly(0, 1, 1, 2, 2, 2);
        assertThat(all).allSatisfy(info -> {
            assertThat(info.worldSize()).isEqualTo(6);
            assertThat(info.groupWorldSize()).isEqualTo(3);
            assertThat(info.round()).isEqualTo(3);
            assertThat(info.masterPort()).isEqualTo(5000);
        });
    }

    @Test
    void of_emptySlots_localRanksHaveNoHoles() {
        Round round = RoundFixture.round(3)
                .withWorkers("a", 1, 1, -1, 0)
                .withSpare("b", 0, -1, 0, 0)
                .build();

        List<WorkerInfo> all = Stream.of(
                        WorkerInfos.of(round, "a", 0, rank -> Map.of()),
                        WorkerInfos.of(round, "a", 2, rank -> Map.of()),
                        WorkerInfos.of(round, "b", 1, rank -> Map.of()),
                        WorkerInfos.of(round, "b", 2, rank -> Map.of()))
                .toList();

        assertThat(all).extracting(WorkerInfo::rank).containsExactly(0, 1, 2, 3);
        assertThat(all).extracting(WorkerInfo::roleRank).containsExactly(0, 1, 2, 3);
        assertThat(all).extracting(WorkerInfo::localRank).containsExactly(0, 1, 0, 1);
        assertThat(all).extracting(WorkerInfo::localWorldSize).containsOnly(2);
    }

    @Test
    void of_severalRoles_countsEachRoleForItself() {
        Round round = RoundFixture.round(1)
                .with("a", 0, 2, "trainer")
                .with("b", 0, 1, "evaluator")
                .with("c", 0, 1, "trainer")
                .build();

        List<WorkerInfo> all = infos(round);

        assertThat(all).extracting(WorkerInfo::roleRank).containsExactly(0, 1, 0, 2);
        assertThat(all).extracting(WorkerInfo::roleWorldSize).containsExactly(3, 3, 1, 3);
    }

    @Test
    void peers_everyRank_hasItsPort() {
        PeerTable peers = WorkerInfos.peers(
                RoundFixture.round(4).with("a", 0, 2).with("b", 0, 1).build());

        assertThat(peers.round()).isEqualTo(4);
        assertThat(peers.peers()).extracting(PeerTable.Peer::rank).containsExactly(0, 1, 2);
        assertThat(peers.peers()).extracting(PeerTable.Peer::port).containsExactly(4000, 4001, 4002);
    }

    private static List<WorkerInfo> infos(Round round) {
        List<WorkerInfo> all = new ArrayList<>();
        for (Participant participant : round.participants()) {
            for (int slot = 0; slot < participant.size(); slot++) {
                all.add(WorkerInfos.of(round, participant.nodeId(), slot, rank -> Map.of()));
            }
        }
        return all;
    }
}
