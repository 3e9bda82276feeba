/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
final class LocalAgreementTest {
    private static final CheckpointId ID = new CheckpointId("i", 1, 5, 77);
    private static final int REPLICAS = 2;

    @Test
    void of_sameWorldRankReplaced_getsItsStateBackAndCopiesAreComplete() {
        List<CheckpointInventory> old = committed(4, 1);
        List<CheckpointInventory> next = new ArrayList<>(old);
        next.set(2, newcomer());
        LocalAgreement agreement = agree(next, 1);
        assertThat(agreement.shares()).hasSize(4).allMatch(LocalAgreement.Share::isOwn);
        for (LocalAgreement.Share share : agreement.shares()) {
            assertThat(share.keeper()).isEqualTo(share.owner());
            assertThat(share.targets()).hasSize(1 + REPLICAS).contains(share.owner());
        }
        assertThat(agreement.shares().get(2).sources()).containsExactly(0, 3);
    }

    @Test
    void of_changedWorld_survivorsKeepTheirsAndOrphansAreGivenOnce() {
        List<CheckpointInventory> old = committed(5, 1);
        // Rank 0 is gone, all others move down by one, and there is a newcomer.
        List<CheckpointInventory> next = List.of(old.get(1), old.get(2), old.get(3), old.get(4), newcomer());
        LocalAgreement agreement = agree(next, 2);
        for (int owner = 1; owner < 5; owner++) {
            assertThat(agreement.shares().get(owner).keeper()).isEqualTo(owner - 1);
            assertThat(agreement.shares().get(owner).isOwn()).isTrue();
        }
        assertThat(agreement.shares().get(0).isOwn()).isFalse();
        assertThat(agreement.shares().get(0).keeper())
                .as("the one that has nothing")
                .isEqualTo(4);
    }

    @Test
    void of_nobodyIsLeftOfAllCopies_reportsLost() {
        List<CheckpointInventory> old = committed(5, 1);
        LocalAgreement agreement = agree(List.of(old.get(1), old.get(2)), 2);
        assertThat(agreement.shares().stream()
                        .filter(LocalAgreement.Share::isLost)
                        .map(LocalAgreement.Share::owner))
                .as("rank 3 and its successors 4 and 0")
                .containsExactly(3);
    }

    @Test
    void of_newcomersWithFilesOnly_getWhatTheirRankHad() {
        List<CheckpointInventory> old = committed(3, 1).stream()
                .map(each -> new CheckpointInventory(0, false, each.copies(), List.of()))
                .toList();
        LocalAgreement moved = agree(List.of(old.get(2), old.get(0), old.get(1)), 2);
        assertThat(moved.shares()).allMatch(share -> share.isOwn() && share.keeper() == share.owner());
        LocalAgreement fewer = agree(List.of(old.get(2), old.get(0)), 2);
        assertThat(fewer.shares().get(2).isOwn()).isFalse();
        assertThat(fewer.shares().get(0).keeper()).isZero();
    }

    @Test
    void of_newcomerWithItsOldFile_getsItBack() {
        List<CheckpointInventory> old = committed(3, 1);
        CheckpointInventory back = new CheckpointInventory(0, false, old.get(1).copies(), List.of());
        LocalAgreement agreement = agree(List.of(old.get(0), old.get(2), newcomer(), back), 2);
        assertThat(agreement.shares().get(1).keeper()).isEqualTo(3);
        assertThat(agreement.shares().get(1).isOwn()).isTrue();
    }

    @Test
    void of_anySequenceOfChangesWithFewLossesAtOnce_keepsAllAtOneRankEachWithAllCopies() {
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            int owners = 3 + random.nextInt(6);
            long world = 1;
            long round = 1;
            List<CheckpointInventory> now = committed(owners, world);
            for (int change = 0; change < 6; change++) {
                Set<Integer> lost = new HashSet<>();
                while (lost.size() < random.nextInt(Math.min(REPLICAS, now.size() - 1) + 1)) {
                    lost.add(random.nextInt(now.size()));
                }
                boolean isSame = random.nextBoolean();
                List<CheckpointInventory> next = new ArrayList<>();
                for (int rank = 0; rank < now.size(); rank++) {
                    if (!lost.contains(rank)) {
                        next.add(now.get(rank));
                    } else if (isSame) {
                        next.add(newcomer());
                    }
                }
                if (!isSame) {
                    for (int i = random.nextInt(3); i > 0; i--) {
                        next.add(newcomer());
                    }
                    Collections.shuffle(next, random);
                    world = round + 1;
                }
                round++;
                LocalAgreement agreement = agree(next, world);
                check(agreement, owners, next.size(), seed);
                now = after(agreement, next.size(), world, round);
            }
        }
    }

    private static void check(LocalAgreement agreement, int owners, int size, int seed) {
        assertThat(agreement.shares()).as("seed %d", seed).hasSize(owners);
        Set<Integer> hasOwn = new HashSet<>();
        for (LocalAgreement.Share share : agreement.shares()) {
            assertThat(share.isLost()).as("seed %d, %s", seed, share).isFalse();
            assertThat(share.targets()).hasSize(Math.min(size, 1 + REPLICAS)).doesNotHaveDuplicates();
            assertThat(share.targets()).contains(share.keeper());
            if (share.isOwn()) {
                assertThat(hasOwn.add(share.keeper())).as("seed %d", seed).isTrue();
            }
        }
    }

    /** What the ranks hold when the agreement was carried out. */
    private static List<CheckpointInventory> after(LocalAgreement agreement, int size, long world, long round) {
        List<CheckpointInventory> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int mine = rank;
            List<CheckpointInventory.Local> locals = agreement.shares().stream()
                    .filter(share -> share.targets().contains(mine))
                    .map(share -> new CheckpointInventory.Local(
                            share.owner(), share.keeper(), share.isOwn(), share.length(), share.digest()))
                    .toList();
            all.add(inventory(round, world, rank, agreement.shares().size(), locals));
        }
        return all;
    }

    private static List<CheckpointInventory> committed(int size, long world) {
        LocalPlacement placement = new LocalPlacement(nodes(size), REPLICAS);
        List<CheckpointInventory> all = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            int mine = rank;
            List<CheckpointInventory.Local> locals = IntStream.range(0, size)
                    .filter(owner ->
                            owner == mine || placement.successors(owner).contains(mine))
                    .mapToObj(owner -> new CheckpointInventory.Local(owner, owner, true, 10, owner))
                    .toList();
            all.add(inventory(1, world, rank, size, locals));
        }
        return all;
    }

    private static CheckpointInventory inventory(
            long round, long world, int place, int worldSize, List<CheckpointInventory.Local> locals) {
        CheckpointInventory.Copy copy = new CheckpointInventory.Copy(
                ID,
                worldSize,
                100,
                CheckpointInventory.State.COMMITTED,
                new CheckpointInventory.Locals(true, false, world, place, locals, List.of()));
        return new CheckpointInventory(round, false, List.of(copy), List.of());
    }

    private static CheckpointInventory newcomer() {
        return new CheckpointInventory(0, false, List.of(), List.of());
    }

    private static LocalAgreement agree(List<CheckpointInventory> inventories, long world) {
        return LocalAgreement.of(
                inventories,
                CheckpointAgreement.of(inventories),
                world,
                new LocalPlacement(nodes(inventories.size()), REPLICAS));
    }

    private static List<String> nodes(int size) {
        return IntStream.range(0, size).mapToObj(rank -> "n" + rank).toList();
    }
}
