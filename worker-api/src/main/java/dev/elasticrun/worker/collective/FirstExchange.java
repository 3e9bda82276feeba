/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The start of a round: from the statements of all ranks to one checkpoint, with local states, that all ranks hold. */
final class FirstExchange {
    private final PeerMesh mesh;
    private final CheckpointShelf shelf;
    private final long world;
    private final int replicas;

    /** @param replicas how many other nodes shall have each local state */
    FirstExchange(PeerMesh mesh, CheckpointShelf shelf, long world, int replicas) {
        this.mesh = mesh;
        this.shelf = shelf;
        this.world = world;
        this.replicas = replicas;
    }

    /**
     * What was agreed on.
     *
     * @param start from which the shelf has started then; empty = nobody has one to go on from
     * @param lostLocals ranks of the world that made it whose local states nobody has
     */
    record Result(Optional<Checkpoint> start, List<Integer> lostLocals) {}

    Result run() throws BrokenLinkException {
        List<Holdings> statements =
                mesh.statements().stream().map(Statement::holdings).toList();
        CheckpointAgreement agreement = CheckpointAgreement.of(statements);
        shelf.keepArrivalsOf(agreement.agreed());
        if (agreement.agreed().isEmpty()) {
            return new Result(Optional.empty(), List.of());
        }
        CheckpointId id = agreement.agreed().get();
        LocalAgreement locals =
                LocalAgreement.of(statements, agreement, world, new LocalPlacement(mesh.nodes(), replicas));
        Optional<Checkpoint> held = shelf.find(id);
        Map<Integer, Part> got = new Transfer(mesh, shelf, id, owner -> part(held.orElseThrow(), owner))
                .run(TransferAgreement.of(statements, agreement, locals).shipments());
        int worldSize = statements
                .get(agreement.sources().get(0))
                .find(id)
                .orElseThrow()
                .worldSize();
        Part global = got.get(Part.GLOBAL);
        Checkpoint start = global == null ? held.orElseThrow().retain() : Checkpoint.of(id, worldSize, global);
        start.withLocals(!locals.shares().isEmpty()).keep(world, mesh.rank(), kept(locals, start, got));
        List<Integer> lost = locals.shares().stream()
                .filter(LocalAgreement.Share::isLost)
                .map(LocalAgreement.Share::owner)
                .toList();
        shelf.startFrom(mesh.round(), Optional.of(start), lost);
        start.release();
        return new Result(Optional.of(start), lost);
    }

    private Part part(Checkpoint held, int owner) {
        return owner == Part.GLOBAL
                ? held.global(shelf.pool())
                : held.local(owner).orElseThrow();
    }

    private List<Part> kept(LocalAgreement locals, Checkpoint start, Map<Integer, Part> got) {
        List<Part> kept = new ArrayList<>();
        for (LocalAgreement.Share share : locals.shares()) {
            if (share.targets().contains(mesh.rank())) {
                Part part = got.get(share.owner());
                Part whole = part == null ? start.local(share.owner()).orElseThrow() : part;
                kept.add(whole.keptBy(share.keeper(), share.isOwn()));
            }
        }
        return kept;
    }
}
