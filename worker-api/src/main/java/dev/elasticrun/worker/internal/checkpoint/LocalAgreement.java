/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Decides which rank continues with which local state of the agreed checkpoint, and which ranks keep copies of it.
 * Pure: every rank computes it from the same statements.
 *
 * <p>In the same world a state stays with its rank, whatever process that is. In another world survivors keep what they
 * have. Without survivors rank r gets what rank r had. A newcomer gets what an earlier process in its place left on its
 * node, if no survivor has it. The remaining states are orphans: each is offered to the rank that was given the fewest,
 * preferably to one that has a copy.
 *
 * @param shares one per rank of the world that made the checkpoint; empty if it has no local states
 */
record LocalAgreement(List<Share> shares) {

    /**
     * The local state of one rank.
     *
     * @param owner that rank
     * @param keeper rank that continues with it; -1 = it is lost, no rank has a copy
     * @param isOwn as its own, not as an orphan
     * @param sources ranks that have it
     * @param targets ranks that shall have it: the keeper, and its successors
     */
    record Share(
            int owner,
            int keeper,
            boolean isOwn,
            long length,
            long digest,
            List<Integer> sources,
            List<Integer> targets) {
        Share {
            sources = List.copyOf(sources);
            targets = List.copyOf(targets);
        }

        boolean isLost() {
            return keeper < 0;
        }
    }

    LocalAgreement {
        shares = List.copyOf(shares);
    }

    static LocalAgreement of(
            List<CheckpointInventory> inventories,
            CheckpointAgreement agreement,
            long world,
            LocalPlacement placement) {
        if (agreement.agreed().isEmpty()) {
            return new LocalAgreement(List.of());
        }
        return new LocalAgreement(
                new Deal(inventories, agreement, agreement.agreed().get(), world).shares(placement));
    }

    // Assigns the owners' states one after the other, and counts how many each rank was given.
    private static final class Deal {
        private final List<Optional<CheckpointInventory.Copy>> copies;
        private final List<Integer> survivors;
        private final long world;
        private final int owners;
        private final int[] keepers;
        private final boolean[] isOwn;
        private final int[] given;
        private final boolean[] hasOwn;

        Deal(List<CheckpointInventory> inventories, CheckpointAgreement agreement, CheckpointId id, long world) {
            this.copies = inventories.stream()
                    .map(inventory ->
                            inventory.find(id).filter(copy -> copy.state() != CheckpointInventory.State.EXPIRED))
                    .toList();
            this.survivors = agreement.survivors();
            this.world = world;
            boolean hasLocals = copies.stream().flatMap(Optional::stream).anyMatch(CheckpointInventory.Copy::hasLocals);
            this.owners = hasLocals
                    ? copies.get(agreement.sources().get(0)).orElseThrow().worldSize()
                    : 0;
            this.keepers = new int[owners];
            this.isOwn = new boolean[owners];
            this.given = new int[inventories.size()];
            this.hasOwn = new boolean[inventories.size()];
        }

        List<Share> shares(LocalPlacement placement) {
            for (int owner = 0; owner < owners; owner++) {
                keepers[owner] = -1;
                if (!sources(owner).isEmpty()) {
                    stay(owner);
                }
            }
            for (int owner = 0; owner < owners; owner++) {
                if (keepers[owner] < 0 && !sources(owner).isEmpty()) {
                    comeBack(owner);
                }
            }
            List<Share> shares = new ArrayList<>();
            for (int owner = 0; owner < owners; owner++) {
                List<Integer> sources = sources(owner);
                if (keepers[owner] < 0 && !sources.isEmpty()) {
                    give(owner, adopter(sources), false);
                }
                shares.add(share(owner, sources, placement));
            }
            return shares;
        }

        private Share share(int owner, List<Integer> sources, LocalPlacement placement) {
            if (sources.isEmpty()) {
                return new Share(owner, -1, false, 0, 0, sources, List.of());
            }
            CheckpointInventory.Local local = local(sources.get(0), owner).orElseThrow();
            List<Integer> targets = new ArrayList<>(List.of(keepers[owner]));
            targets.addAll(placement.successors(keepers[owner]));
            return new Share(owner, keepers[owner], isOwn[owner], local.length(), local.digest(), sources, targets);
        }

        /** With the rank in the same world, or with the process in another. */
        private void stay(int owner) {
            for (int rank : survivors) {
                Optional<CheckpointInventory.Local> local = local(rank, owner);
                if (local.isPresent()) {
                    CheckpointInventory.Copy copy = copies.get(rank).orElseThrow();
                    if (copy.locals().keeperWorld() == world && local.get().keeper() < given.length) {
                        give(owner, local.get().keeper(), local.get().isOwn());
                        return;
                    } else if (local.get().keeper() == copy.locals().place()) {
                        give(owner, rank, local.get().isOwn());
                        return;
                    }
                }
            }
        }

        /** To a new process in the place of an old one. */
        private void comeBack(int owner) {
            if (survivors.isEmpty()) {
                if (owner < hasOwn.length && !hasOwn[owner]) {
                    give(owner, owner, true);
                }
                return;
            }
            for (int rank = 0; rank < copies.size(); rank++) {
                int candidate = rank;
                boolean isItsOwn = local(rank, owner)
                        .filter(local -> local.isOwn()
                                && local.keeper()
                                        == copies.get(candidate)
                                                .orElseThrow()
                                                .locals()
                                                .place())
                        .isPresent();
                if (isItsOwn && !survivors.contains(rank) && !hasOwn[rank]) {
                    give(owner, rank, true);
                    return;
                }
            }
        }

        private int adopter(List<Integer> sources) {
            return IntStream.range(0, given.length)
                    .boxed()
                    .min(Comparator.<Integer>comparingInt(rank -> given[rank])
                            .thenComparing(rank -> !sources.contains(rank)))
                    .orElseThrow();
        }

        private void give(int owner, int rank, boolean asItsOwn) {
            keepers[owner] = rank;
            isOwn[owner] = asItsOwn;
            given[rank]++;
            hasOwn[rank] |= asItsOwn;
        }

        /** All ranks that have the same content: that of a survivor, if one has it. */
        private List<Integer> sources(int owner) {
            List<Integer> holders = new ArrayList<>(survivors);
            IntStream.range(0, copies.size())
                    .filter(rank -> !survivors.contains(rank))
                    .forEach(holders::add);
            holders.removeIf(rank -> local(rank, owner).isEmpty());
            if (holders.isEmpty()) {
                return holders;
            }
            long digest = local(holders.get(0), owner).orElseThrow().digest();
            holders.removeIf(rank -> local(rank, owner).orElseThrow().digest() != digest);
            holders.sort(Comparator.naturalOrder());
            return holders;
        }

        private Optional<CheckpointInventory.Local> local(int rank, int owner) {
            return copies.get(rank).flatMap(copy -> copy.local(owner));
        }
    }
}
