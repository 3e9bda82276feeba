/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.agreement;

import dev.elasticrun.worker.contract.CheckpointFiles;
import dev.elasticrun.worker.contract.CheckpointId;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Decides from which checkpoint a round continues. Pure: every rank computes it from the same statements.
 *
 * <p>Survivors are the ranks that have started in the newest round of all that any rank has started in. What they agree
 * on is the newest that <em>every</em> one of them holds. A staged copy counts: had any rank committed the checkpoint,
 * all of that world had staged it, so the newest common copy is never older than a commit. An expired copy counts, too,
 * but cannot be a source: its rank has staged the next lazy checkpoint, and some other rank has not, or that would be
 * the newest common one. Copies of other ranks count only as a source: newcomers have done nothing yet, and a rank that
 * was left out of a round, because its node was silent, has only older checkpoints. If no rank has started in any
 * round, it is the newest that any found on its node, where only committed ones are kept; the one before, of the same
 * world, if its local states are complete and those of the newest are not, because some of its files were not written
 * yet.
 *
 * @param agreed empty = from the start
 * @param survivors ranks that were there when it was made, or have continued from it; in order
 * @param sources ranks that can give it to others, in order
 * @param lacking ranks that must get it, in order
 */
public record CheckpointAgreement(
        Optional<CheckpointId> agreed, List<Integer> survivors, List<Integer> sources, List<Integer> lacking) {
    public CheckpointAgreement {
        survivors = List.copyOf(survivors);
        sources = List.copyOf(sources);
        lacking = List.copyOf(lacking);
    }

    public static CheckpointAgreement of(List<CheckpointInventory> inventories) {
        long newestRound = inventories.stream()
                .mapToLong(CheckpointInventory::startedRound)
                .max()
                .orElse(0);
        List<Integer> survivors =
                ranks(inventories, inventory -> newestRound > 0 && inventory.startedRound() == newestRound);
        if (isOvertaken(inventories, newestRound)) {
            survivors = List.of();
        }
        Optional<CheckpointId> agreed = survivors.isEmpty()
                ? newestOnNodes(inventories)
                : newestCommon(survivors.stream().map(inventories::get).toList(), inventories);
        if (agreed.isEmpty()) {
            return new CheckpointAgreement(agreed, survivors, List.of(), List.of());
        }
        CheckpointId id = agreed.get();
        return new CheckpointAgreement(
                agreed,
                survivors,
                ranks(inventories, inventory -> inventory.serves(id)),
                ranks(inventories, inventory -> !inventory.serves(id)));
    }

    /** Whether a node has files of a world that began after the newest round that any rank was in. */
    private static boolean isOvertaken(List<CheckpointInventory> inventories, long newestRound) {
        return inventories.stream()
                .flatMap(inventory -> inventory.copies().stream())
                .anyMatch(copy -> copy.state() == CheckpointInventory.State.COMMITTED
                        && copy.id().world() > newestRound);
    }

    private static Optional<CheckpointId> newestCommon(
            List<CheckpointInventory> survivors, List<CheckpointInventory> all) {
        return survivors.get(0).copies().stream()
                .map(CheckpointInventory.Copy::id)
                .filter(id -> survivors.stream().allMatch(survivor -> survivor.holds(id)))
                .filter(id -> all.stream().anyMatch(each -> each.serves(id)))
                .max(CheckpointFiles.NEWEST);
    }

    private static Optional<CheckpointId> newestOnNodes(List<CheckpointInventory> newcomers) {
        List<CheckpointInventory.Copy> copies = newcomers.stream()
                .flatMap(newcomer -> newcomer.copies().stream())
                .filter(copy -> copy.state() == CheckpointInventory.State.COMMITTED)
                .toList();
        Optional<CheckpointId> newest =
                copies.stream().map(CheckpointInventory.Copy::id).max(CheckpointFiles.NEWEST);
        return newest.map(id -> copies.stream()
                .map(CheckpointInventory.Copy::id)
                .filter(other -> other.world() == id.world() && other.version() >= id.version() - 1)
                .filter(other -> isComplete(other, copies))
                .max(CheckpointFiles.NEWEST)
                .orElse(id));
    }

    private static boolean isComplete(CheckpointId id, List<CheckpointInventory.Copy> all) {
        List<CheckpointInventory.Copy> copies =
                all.stream().filter(copy -> copy.id().equals(id)).toList();
        return copies.stream().noneMatch(CheckpointInventory.Copy::hasLocals)
                || IntStream.range(0, copies.get(0).worldSize()).allMatch(LocalHoldings.ofNodes(copies)::has);
    }

    private interface Choice {
        boolean holds(CheckpointInventory inventory);
    }

    private static List<Integer> ranks(List<CheckpointInventory> inventories, Choice choice) {
        return IntStream.range(0, inventories.size())
                .filter(rank -> choice.holds(inventories.get(rank)))
                .boxed()
                .toList();
    }
}
