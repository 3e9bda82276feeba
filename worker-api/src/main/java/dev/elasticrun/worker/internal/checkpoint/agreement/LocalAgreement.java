/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Decides which rank continues with which local state of the agreed checkpoint, and which ranks keep copies of it. A state
 * that no rank has is computed from parity, if enough of its set is there, and is lost otherwise.
 * Pure: every rank computes it from the same statements.
 *
 * <p>In the same world a state stays with its rank, whatever process that is. In another world survivors keep what they
 * have. Without survivors rank r gets what rank r had. A newcomer gets what an earlier process in its place left on its
 * node, if no survivor has it. The remaining states are orphans: each is offered to the rank that was given the fewest,
 * preferably to one that has a copy.
 *
 * @param shares one per rank of the world that made the checkpoint; empty if it has no local states
 */
public record LocalAgreement(List<Share> shares) {

    /**
     * The local state of one rank.
     *
     * @param state with the rank that continues with it, and whether as its own or as an orphan; keeper -1 = it is lost
     * @param sources ranks that have it; none = it is lost, or the keeper computes it
     * @param pieces of which the keeper computes it
     * @param targets ranks that shall have it: the keeper, and its successors
     */
    public record Share(
            CheckpointInventory.Local state,
            List<Integer> sources,
            List<ParityPlan.Piece> pieces,
            List<Integer> targets) {
        public Share {
            sources = List.copyOf(sources);
            pieces = List.copyOf(pieces);
            targets = List.copyOf(targets);
        }

        static Share lost(int owner) {
            return new Share(new CheckpointInventory.Local(owner, -1, false, 0, 0), List.of(), List.of(), List.of());
        }

        public int owner() {
            return state.owner();
        }

        public int keeper() {
            return state.keeper();
        }

        public boolean isOwn() {
            return state.isOwn();
        }

        public long length() {
            return state.length();
        }

        public long digest() {
            return state.digest();
        }

        public boolean isLost() {
            return state.keeper() < 0;
        }

        /** No rank has it, but parity. */
        public boolean isRebuilt() {
            return !isLost() && sources.isEmpty();
        }
    }

    public LocalAgreement {
        shares = List.copyOf(shares);
    }

    public static LocalAgreement of(
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

    /** The same, but that these could not be computed. */
    public LocalAgreement without(Set<Integer> owners) {
        return new LocalAgreement(shares.stream()
                .map(share -> owners.contains(share.owner()) ? Share.lost(share.owner()) : share)
                .toList());
    }

    // Assigns the owners' states one after the other, and counts how many each rank was given.
    private static final class Deal {
        private final LocalHoldings holdings;
        private final List<Integer> survivors;
        private final long world;
        private final int owners;
        private final List<List<Integer>> sources = new ArrayList<>();
        private final List<Optional<List<ParityPlan.Piece>>> rebuilds = new ArrayList<>();
        private final int[] keepers;
        private final boolean[] isOwn;
        private final int[] given;
        private final boolean[] hasOwn;

        Deal(List<CheckpointInventory> inventories, CheckpointAgreement agreement, CheckpointId id, long world) {
            this.holdings = LocalHoldings.of(inventories, id, agreement.survivors());
            this.survivors = agreement.survivors();
            this.world = world;
            boolean hasLocals =
                    holdings.copies().stream().flatMap(Optional::stream).anyMatch(CheckpointInventory.Copy::hasLocals);
            this.owners = hasLocals
                    ? holdings.copies()
                            .get(agreement.sources().get(0))
                            .orElseThrow()
                            .worldSize()
                    : 0;
            this.keepers = new int[owners];
            this.isOwn = new boolean[owners];
            this.given = new int[inventories.size()];
            this.hasOwn = new boolean[inventories.size()];
            for (int owner = 0; owner < owners; owner++) {
                sources.add(holdings.sources(owner));
                rebuilds.add(sources.get(owner).isEmpty() ? holdings.rebuild(owner) : Optional.empty());
            }
        }

        List<Share> shares(LocalPlacement placement) {
            for (int owner = 0; owner < owners; owner++) {
                keepers[owner] = -1;
                if (isThere(owner)) {
                    stay(owner);
                }
            }
            for (int owner = 0; owner < owners; owner++) {
                if (keepers[owner] < 0 && isThere(owner)) {
                    comeBack(owner);
                }
            }
            List<Share> shares = new ArrayList<>();
            for (int owner = 0; owner < owners; owner++) {
                if (keepers[owner] < 0 && isThere(owner)) {
                    give(owner, adopter(sources.get(owner)), false);
                }
                shares.add(isThere(owner) ? share(owner, placement) : Share.lost(owner));
            }
            return shares;
        }

        private boolean isThere(int owner) {
            return !sources.get(owner).isEmpty() || rebuilds.get(owner).isPresent();
        }

        private Share share(int owner, LocalPlacement placement) {
            List<Integer> targets = new ArrayList<>(List.of(keepers[owner]));
            // What is computed is with its keeper only, until parity or the next checkpoint.
            if (rebuilds.get(owner).isEmpty()) {
                targets.addAll(placement.successors(keepers[owner]));
            }
            return new Share(
                    holdings.stated(owner).orElseThrow().keptBy(keepers[owner], isOwn[owner]),
                    sources.get(owner),
                    rebuilds.get(owner).orElse(List.of()),
                    targets);
        }

        /** With the rank in the same world, or with the process in another. */
        private void stay(int owner) {
            for (int rank : survivors) {
                Optional<CheckpointInventory.Local> local = holdings.stated(rank, owner);
                if (local.isPresent()) {
                    CheckpointInventory.Copy copy = holdings.copies().get(rank).orElseThrow();
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
            for (int rank = 0; rank < given.length; rank++) {
                int candidate = rank;
                boolean isItsOwn = holdings.local(rank, owner)
                        .filter(local -> local.isOwn()
                                && local.keeper()
                                        == holdings.copies()
                                                .get(candidate)
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

        private int adopter(List<Integer> holders) {
            return IntStream.range(0, given.length)
                    .boxed()
                    .min(Comparator.<Integer>comparingInt(rank -> given[rank])
                            .thenComparing(rank -> !holders.contains(rank)))
                    .orElseThrow();
        }

        private void give(int owner, int rank, boolean asItsOwn) {
            keepers[owner] = rank;
            isOwn[owner] = asItsOwn;
            given[rank]++;
            hasOwn[rank] |= asItsOwn;
        }
    }
}
