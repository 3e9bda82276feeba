/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What all ranks have of the local states of one checkpoint: the states, and parity from which others follow. Pure.
 *
 * @param copies the checkpoint on each rank; empty = it has none that it can give
 * @param order the ranks, those first whose statements count if they differ
 */
public record LocalHoldings(List<Optional<CheckpointInventory.Copy>> copies, List<Integer> order) {
    public LocalHoldings {
        copies = List.copyOf(copies);
        order = List.copyOf(order);
    }

    /** Statements of survivors count first. */
    public static LocalHoldings of(List<CheckpointInventory> inventories, CheckpointId id, List<Integer> survivors) {
        List<Integer> order = new ArrayList<>(survivors);
        IntStream.range(0, inventories.size())
                .filter(rank -> !survivors.contains(rank))
                .forEach(order::add);
        return new LocalHoldings(
                inventories.stream()
                        .map(inventory ->
                                inventory.find(id).filter(copy -> copy.state() != CheckpointInventory.State.EXPIRED))
                        .toList(),
                order);
    }

    static LocalHoldings ofNodes(List<CheckpointInventory.Copy> copies) {
        return new LocalHoldings(
                copies.stream().map(Optional::of).toList(),
                IntStream.range(0, copies.size()).boxed().toList());
    }

    /** Whether they are outside of the heap: all of a checkpoint are, or none. */
    public boolean areStreamed() {
        return copies.stream().flatMap(Optional::stream).anyMatch(copy -> copy.locals()
                .areStreamed());
    }

    /** A rank's copy of a state. */
    Optional<CheckpointInventory.Local> local(int rank, int owner) {
        return copies.get(rank).flatMap(copy -> copy.local(owner));
    }

    /** What a rank states of a state that it has, or has parity of. */
    Optional<CheckpointInventory.Local> stated(int rank, int owner) {
        return local(rank, owner).or(() -> copies.get(rank).stream()
                .flatMap(copy -> copy.locals().parity().stream())
                .flatMap(block -> block.set().memberOf(owner).stream())
                .map(ParitySet.Member::state)
                .findFirst());
    }

    /** What the first rank states that knows of it. */
    Optional<CheckpointInventory.Local> stated(int owner) {
        return order.stream().flatMap(rank -> stated(rank, owner).stream()).findFirst();
    }

    /** The ranks that have the state, as it is stated; in order of ranks. */
    List<Integer> sources(int owner) {
        Optional<CheckpointInventory.Local> stated = stated(owner);
        return stated.isEmpty() ? List.of() : holders(stated.get());
    }

    /** Whether a rank has the state, or it can be computed. */
    boolean has(int owner) {
        return !sources(owner).isEmpty() || rebuild(owner).isPresent();
    }

    /** A block that a rank has. */
    public boolean hasBlock(int rank, ParityPlan.Source.Block block) {
        return copies.get(rank).stream()
                .flatMap(copy -> copy.locals().parity().stream())
                .anyMatch(held -> held.source().equals(block));
    }

    /** The pieces of which a state that no rank has is the exclusive or; empty = too many others are lost. */
    Optional<List<ParityPlan.Piece>> rebuild(int owner) {
        Optional<CheckpointInventory.Local> stated = stated(owner);
        if (stated.isEmpty()) {
            return Optional.empty();
        }
        Set<ParitySet> tried = new HashSet<>();
        for (int rank : order) {
            List<CheckpointInventory.ParityBlock> blocks =
                    copies.get(rank).map(copy -> copy.locals().parity()).orElse(List.of());
            for (CheckpointInventory.ParityBlock block : blocks) {
                Optional<ParitySet.Member> lost =
                        block.set().memberOf(owner).filter(member -> isSame(member.state(), stated.get()));
                if (lost.isPresent() && tried.add(block.set().content())) {
                    Optional<List<ParityPlan.Piece>> pieces = rebuild(block.set(), lost.get());
                    if (pieces.isPresent()) {
                        return pieces;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Optional<List<ParityPlan.Piece>> rebuild(ParitySet set, ParitySet.Member lost) {
        List<ParityPlan.Piece> pieces = new ArrayList<>();
        for (int seat = 0; seat < set.seats(); seat++) {
            ParitySet.Part part = set.part(lost, seat);
            if (seat == lost.seat() || part.length() == 0) {
                continue;
            }
            ParityPlan.Source.Block block = ParityPlan.Source.Block.of(set, seat);
            Optional<Integer> holder =
                    order.stream().filter(rank -> hasBlock(rank, block)).findFirst();
            if (holder.isEmpty()) {
                return Optional.empty();
            }
            pieces.add(new ParityPlan.Piece(holder.get(), block, 0, part.at(), part.length()));
            for (ParitySet.Member other : set.members()) {
                if (other.seat() == seat || other.seat() == lost.seat()) {
                    continue;
                }
                ParitySet.Part mixed = set.part(other, seat);
                List<Integer> sources = holders(other.state());
                long length = Math.min(mixed.length(), part.length());
                if (length > 0 && sources.isEmpty()) {
                    return Optional.empty();
                } else if (length > 0) {
                    ParityPlan.Source state =
                            new ParityPlan.Source.State(other.state().owner());
                    pieces.add(new ParityPlan.Piece(sources.get(0), state, mixed.at(), part.at(), length));
                }
            }
        }
        return Optional.of(pieces);
    }

    private List<Integer> holders(CheckpointInventory.Local state) {
        return IntStream.range(0, copies.size())
                .filter(rank -> local(rank, state.owner())
                        .filter(local -> isSame(local, state))
                        .isPresent())
                .boxed()
                .toList();
    }

    private static boolean isSame(CheckpointInventory.Local one, CheckpointInventory.Local other) {
        return one.digest() == other.digest() && one.length() == other.length();
    }
}
