/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * From which checkpoint a round goes on. Pure: every rank computes it from the same statements.
 *
 * <p>Survivors are the ranks that have started in the newest round of all that any rank has started in. What they agree
 * on is the newest that <em>every</em> one of them holds. A staged copy counts: had any rank committed the checkpoint, all
 * of that world had staged it, so the newest common copy is never older than a commit. Copies of others count for nothing
 * but as a source: newcomers have done nothing yet, and who was left out of a round, because its node was silent, knows
 * only what was before. If nobody has started anywhere, it is the newest that any found on its node, where only committed
 * ones are kept.
 *
 * @param agreed empty = from the start
 * @param length bytes of its content
 * @param source lowest rank that holds it
 * @param lacking ranks that do not, in order
 */
record CheckpointAgreement(Optional<CheckpointId> agreed, int length, int source, List<Integer> lacking) {
    /**
     * Versions grow with worlds, unless state was lost: then the run began again in a later world, and what an old node
     * still has from before is another history, whatever its version.
     */
    private static final Comparator<CheckpointId> NEWEST = Comparator.comparingLong(CheckpointId::world)
            .thenComparingLong(CheckpointId::version)
            .thenComparingLong(CheckpointId::digest);

    CheckpointAgreement {
        lacking = List.copyOf(lacking);
    }

    static CheckpointAgreement of(List<Holdings> statements) {
        long newestRound =
                statements.stream().mapToLong(Holdings::startedRound).max().orElse(0);
        List<Holdings> survivors = statements.stream()
                .filter(statement -> newestRound > 0 && statement.startedRound() == newestRound)
                .toList();
        Optional<CheckpointId> agreed = survivors.isEmpty() ? newestOnNodes(statements) : newestCommon(survivors);
        return agreed.map(id -> spread(id, statements))
                .orElseGet(() -> new CheckpointAgreement(Optional.empty(), 0, 0, List.of()));
    }

    private static Optional<CheckpointId> newestCommon(List<Holdings> survivors) {
        return survivors.get(0).copies().stream()
                .map(Holdings.Copy::id)
                .filter(id -> survivors.stream().allMatch(survivor -> survivor.holds(id)))
                .max(NEWEST);
    }

    private static Optional<CheckpointId> newestOnNodes(List<Holdings> newcomers) {
        return newcomers.stream()
                .flatMap(newcomer -> newcomer.copies().stream())
                .filter(copy -> !copy.isStaged())
                .map(Holdings.Copy::id)
                .max(NEWEST);
    }

    private static CheckpointAgreement spread(CheckpointId id, List<Holdings> statements) {
        List<Integer> lacking = new ArrayList<>();
        IntStream.range(0, statements.size())
                .filter(rank -> !statements.get(rank).holds(id))
                .forEach(lacking::add);
        int source = IntStream.range(0, statements.size())
                .filter(rank -> statements.get(rank).holds(id))
                .findFirst()
                .orElseThrow();
        int length = statements.get(source).copies().stream()
                .filter(copy -> copy.id().equals(id))
                .findFirst()
                .orElseThrow()
                .length();
        return new CheckpointAgreement(Optional.of(id), length, source, lacking);
    }
}
