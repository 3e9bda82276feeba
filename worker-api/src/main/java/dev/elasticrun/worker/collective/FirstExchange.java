/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
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
        for (List<Integer> writers = writers(statements, agreement); !writers.isEmpty(); ) {
            List<Holdings> known = writeDown(statements, agreement.agreed().orElseThrow(), writers);
            boolean isSettled = known.equals(statements);
            statements = known;
            agreement = CheckpointAgreement.of(statements);
            writers = isSettled ? List.of() : writers(statements, agreement);
        }
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

    /** Ranks that must write a lazy checkpoint down, for those that lack it. */
    private static List<Integer> writers(List<Holdings> statements, CheckpointAgreement agreement) {
        if (agreement.agreed().isEmpty() || agreement.lacking().isEmpty()) {
            return List.of();
        }
        CheckpointId id = agreement.agreed().get();
        return agreement.lacking().stream()
                .flatMap(rank -> Shipment.of(rank, Part.GLOBAL, agreement.sources(), new BitSet()).sources().stream())
                .distinct()
                .filter(rank -> statements.get(rank).find(id).orElseThrow().length() < 0)
                .sorted()
                .toList();
    }

    /**
     * All that must write it down do so, before anybody waits for it, and all learn who could not: the program's supplier may
     * fail. Each sends a byte to all others.
     */
    private List<Holdings> writeDown(List<Holdings> statements, CheckpointId id, List<Integer> writers)
            throws BrokenLinkException {
        boolean isWriter = writers.contains(mesh.rank());
        boolean canGive = isWriter && shelf.find(id).orElseThrow().writeDown(shelf.pool());
        for (int peer = 0; isWriter && peer < mesh.size(); peer++) {
            if (peer != mesh.rank()) {
                mesh.link(peer).send(ByteBuffer.wrap(new byte[] {(byte) (canGive ? 1 : 0)}));
            }
        }
        List<Holdings> known = new ArrayList<>(statements);
        for (int writer : writers) {
            if (!(writer == mesh.rank() ? canGive : hasWritten(writer))) {
                known.set(writer, known.get(writer).withoutServing(id));
            }
        }
        return known;
    }

    private boolean hasWritten(int writer) throws BrokenLinkException {
        ByteBuffer frame = mesh.link(writer).receive();
        if (frame.remaining() != 1) {
            throw BrokenLinkException.malformed(writer, "a frame of " + frame.remaining() + " bytes (expected: 1)");
        }
        return frame.get() == 1;
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
