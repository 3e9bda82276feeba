/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The start of a round: from the statements of all ranks to one checkpoint that all ranks hold. */
final class FirstExchange {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final PeerMesh mesh;
    private final CheckpointShelf shelf;

    FirstExchange(PeerMesh mesh, CheckpointShelf shelf) {
        this.mesh = mesh;
        this.shelf = shelf;
    }

    /** Returns the agreed checkpoint; empty = the round starts from nothing. */
    Optional<Checkpoint> run() throws BrokenLinkException {
        CheckpointAgreement agreement = CheckpointAgreement.of(
                mesh.statements().stream().map(Statement::holdings).toList());
        if (agreement.agreed().isEmpty()) {
            shelf.startFrom(mesh.round(), Optional.empty());
            return Optional.empty();
        }
        CheckpointId id = agreement.agreed().get();
        Checkpoint checkpoint;
        if (agreement.lacking().contains(mesh.rank())) {
            checkpoint = fetch(id, agreement.length(), agreement.source());
        } else {
            checkpoint = shelf.find(id).orElseThrow();
        }
        if (mesh.rank() == agreement.source()) {
            for (int rank : agreement.lacking()) {
                serve(checkpoint, rank);
            }
        }
        shelf.startFrom(mesh.round(), Optional.of(checkpoint));
        return Optional.of(checkpoint);
    }

    private void serve(Checkpoint checkpoint, int rank) throws BrokenLinkException {
        Content content = checkpoint.content();
        for (int at = 0; at < content.length(); at += PeerLink.PIECE) {
            int length = Math.min(PeerLink.PIECE, content.length() - at);
            Instants.at(
                    OperationListener.Instant.SERVING,
                    mesh.rank(),
                    checkpoint.id().version(),
                    0);
            mesh.link(rank).send(ByteBuffer.wrap(content.buffer(), at, length), NOTHING);
        }
    }

    private Checkpoint fetch(CheckpointId id, int length, int source) throws BrokenLinkException {
        Content content = shelf.pool().take(length);
        int at = 0;
        while (at < length) {
            ByteBuffer piece = mesh.link(source).receive();
            int bytes = piece.remaining();
            if (bytes == 0 || bytes > length - at) {
                throw new BrokenLinkException(source, "checkpoint piece of " + bytes + " bytes");
            }
            piece.get(content.buffer(), at, bytes);
            at += bytes;
            Instants.at(OperationListener.Instant.FETCHING, mesh.rank(), id.version(), 0);
        }
        if (Digest.of(content.buffer(), length) != id.digest()) {
            throw new BrokenLinkException(source, "checkpoint " + id + " arrived damaged");
        }
        return new Checkpoint(id, mesh.size(), content);
    }
}
