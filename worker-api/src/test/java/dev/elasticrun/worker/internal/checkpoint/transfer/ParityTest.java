/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.WorkerEnv;
import dev.elasticrun.worker.internal.checkpoint.agreement.LocalAgreement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Local states by parity, through plans that are carried out on bytes. */
@Tag("once")
final class ParityTest {

    @Test
    void everySetSize_everySingleLoss_isComputedExactly() {
        for (int seed = 0; seed < 600; seed++) {
            Random random = new Random(seed);
            int nodes = 2 + seed % 15;
            List<byte[]> states = states(random, nodes);
            ParityWorld world = ParityWorld.committed(names(nodes), nodes, states);
            for (int lost = 0; lost < nodes; lost++) {
                List<ParityWorld.Node> next = new ArrayList<>(world.ranks());
                next.set(lost, ParityWorld.Node.newcomer("n" + lost));
                LocalAgreement.Share share = world.agree(next, 1).shares().get(lost);
                assertThat(share.isRebuilt()).as("seed %d", seed).isTrue();
                assertThat(share.keeper()).isEqualTo(lost);
                assertThat(share.isOwn()).isTrue();
                assertThat(ParityWorld.bytes(next, share))
                        .as("seed %d, rank %d", seed, lost)
                        .isEqualTo(states.get(lost));
            }
        }
    }

    @Test
    void equalStates_blocksTakeAShareOfOne() {
        for (int nodes = 2; nodes <= WorkerEnv.MAX_CHECKPOINT_PARITY; nodes++) {
            int length = 1000 * (nodes - 1);
            List<byte[]> states =
                    IntStream.range(0, nodes).mapToObj(any -> new byte[length]).toList();
            assertThat(ParityWorld.committed(names(nodes), nodes, states).blockBytes())
                    .isEqualTo((long) nodes * length / (nodes - 1));
        }
    }

    @Test
    void everyTwoLosses_areLostOrComputedExactly() {
        int lost = 0;
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            int nodes = 2 + seed % 9;
            List<byte[]> states = states(random, nodes);
            ParityWorld world = ParityWorld.committed(names(nodes), nodes, states);
            for (int first = 0; first < nodes; first++) {
                int second = (first + 1 + random.nextInt(nodes - 1)) % nodes;
                List<ParityWorld.Node> next = new ArrayList<>(world.ranks());
                next.set(first, ParityWorld.Node.newcomer("n" + first));
                next.set(second, ParityWorld.Node.newcomer("n" + second));
                if (nodes == 2) {
                    continue;
                }
                LocalAgreement agreement = world.agree(next, 1);
                for (int owner : List.of(first, second)) {
                    LocalAgreement.Share share = agreement.shares().get(owner);
                    if (share.isLost()) {
                        lost++;
                    } else {
                        assertThat(ParityWorld.bytes(next, share))
                                .as("seed %d", seed)
                                .isEqualTo(states.get(owner));
                    }
                }
            }
        }
        assertThat(lost).isPositive();
    }

    @Test
    void twoLossesOfStatesAsLongAsOthers_areLost() {
        List<byte[]> states =
                IntStream.range(0, 4).mapToObj(any -> new byte[99]).toList();
        ParityWorld world = ParityWorld.committed(names(4), 4, states);
        LocalAgreement agreement = world.agree(world.ranks().subList(1, 3), 2);
        assertThat(agreement.shares())
                .extracting(LocalAgreement.Share::isLost)
                .containsExactly(true, false, false, true);
    }

    @Test
    void blocksOfAnotherAttempt_areNotMixed() {
        List<byte[]> states = IntStream.range(0, 3)
                .mapToObj(rank -> new byte[] {(byte) rank, 1, 2, 3})
                .toList();
        List<byte[]> others = IntStream.range(0, 3)
                .mapToObj(rank -> new byte[] {(byte) rank, 7, 7, 7})
                .toList();
        ParityWorld world = ParityWorld.committed(names(3), 3, states);
        ParityWorld other = ParityWorld.committed(names(3), 3, others);
        List<ParityWorld.Node> mixed =
                List.of(world.ranks().get(0), other.ranks().get(1), ParityWorld.Node.newcomer("n2"));
        assertThat(world.agree(mixed, 1).shares().get(2).isLost()).isTrue();
    }

    /** Shrinks, growths, replacements and moves of ranks, one node lost at a time, of one to three ranks each. */
    @Test
    void anySequenceOfChangesWithOneNodeLostEach_keepsAllStates() {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            List<String> ranks = new ArrayList<>();
            int nodes = 2 + random.nextInt(6);
            for (int node = 0; node < nodes; node++) {
                ranks.addAll(Collections.nCopies(1 + random.nextInt(3), "n" + node));
            }
            List<byte[]> states = states(random, ranks.size());
            int size = 2 + random.nextInt(4);
            ParityWorld now = ParityWorld.committed(ranks, size, states);
            long world = 1;
            for (int change = 0; change < 6; change++) {
                List<String> names = now.ranks().stream()
                        .map(ParityWorld.Node::name)
                        .distinct()
                        .toList();
                boolean canLose = names.size() > 1;
                String lost = canLose ? names.get(random.nextInt(names.size())) : "";
                boolean isSame = random.nextBoolean();
                List<ParityWorld.Node> next = new ArrayList<>();
                for (ParityWorld.Node node : now.ranks()) {
                    if (!node.name().equals(lost)) {
                        next.add(node);
                    } else if (isSame) {
                        next.add(ParityWorld.Node.newcomer("again" + change + node.name()));
                    }
                }
                if (!isSame) {
                    for (int i = random.nextInt(3); i > 0; i--) {
                        next.add(ParityWorld.Node.newcomer("new" + change + random.nextInt(2)));
                    }
                    Collections.shuffle(next, random);
                    world = change + 2L;
                }
                LocalAgreement agreement = now.agree(next, world);
                Set<Integer> hasOwn = new HashSet<>();
                for (LocalAgreement.Share share : agreement.shares()) {
                    assertThat(share.isLost())
                            .as("seed %d, change %d, %s", seed, change, share)
                            .isFalse();
                    assertThat(ParityWorld.bytes(next, share)).isEqualTo(states.get(share.owner()));
                    assertThat(share.isOwn() && !hasOwn.add(share.keeper()))
                            .as("seed %d", seed)
                            .isFalse();
                }
                now = now.start(next, agreement, world);
            }
        }
    }

    private static List<byte[]> states(Random random, int count) {
        List<byte[]> states = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] state = new byte[random.nextInt(3) == 0 ? random.nextInt(3) : random.nextInt(120)];
            random.nextBytes(state);
            states.add(state);
        }
        return states;
    }

    private static List<String> names(int nodes) {
        return IntStream.range(0, nodes).mapToObj(node -> "n" + node).toList();
    }
}
