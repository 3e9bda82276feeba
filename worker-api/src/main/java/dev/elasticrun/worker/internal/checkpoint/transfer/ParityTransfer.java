/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.ChunkMemory;
import dev.elasticrun.worker.internal.checkpoint.Content;
import dev.elasticrun.worker.internal.checkpoint.IncomingBlob;
import dev.elasticrun.worker.internal.checkpoint.agreement.ParityPlan;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.faults.FaultPoints;
import dev.elasticrun.worker.internal.net.PeerLink;
import dev.elasticrun.worker.internal.net.PeerMesh;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.CRC32C;

/**
 * Carries the pieces of parity plans over the links of a mesh, and mixes them where they arrive. Each goes in chunks, which
 * are a frame with place and CRC32C, and bytes in bulk. Takes 512 KiB for each link that is received from, beside what is
 * made. User thread.
 */
final class ParityTransfer {
    private static final int HEADER = Long.BYTES + Integer.BYTES;

    private final PeerMesh mesh;
    private final Mixtures mixtures;
    private final CheckpointId id;

    private record Passage(ParityPlan plan, ParityPlan.Piece piece) {}

    /** @param mixtures where what is made is put */
    ParityTransfer(PeerMesh mesh, Mixtures mixtures) {
        this.mesh = mesh;
        this.mixtures = mixtures;
        this.id = mixtures.id();
    }

    /**
     * Returns, when all of this rank's pieces are through, what it makes. The contents are the caller's.
     *
     * @param held what this rank has; called on the user thread
     */
    Map<ParityPlan.Source, Content> run(List<ParityPlan> plans, Function<ParityPlan.Source, Content> held)
            throws BrokenLinkException {
        Map<ParityPlan.Source, Mixture> made = new HashMap<>();
        boolean isWhole = false;
        try {
            for (ParityPlan plan : plans) {
                if (plan.to() == mesh.rank()) {
                    made.put(plan.makes(), mixtures.of(plan));
                }
            }
            mix(plans, held, made);
            isWhole = true;
        } finally {
            if (!isWhole) {
                made.values().forEach(Mixture::release);
            }
        }
        Map<ParityPlan.Source, Content> contents = new HashMap<>();
        made.forEach((source, mixture) -> contents.put(source, mixture.content()));
        return contents;
    }

    private void mix(
            List<ParityPlan> plans, Function<ParityPlan.Source, Content> held, Map<ParityPlan.Source, Mixture> made)
            throws BrokenLinkException {
        for (Passage own : passages(plans, mesh.rank(), mesh.rank())) {
            mixOwn(own, held.apply(own.piece().source()), mixture(made, own));
        }
        LinkTasks tasks = new LinkTasks(mesh);
        for (int peer = 0; peer < mesh.size(); peer++) {
            if (peer != mesh.rank()) {
                addIncoming(mesh.link(peer), passages(plans, peer, mesh.rank()), made, tasks);
                addOutgoing(mesh.link(peer), passages(plans, mesh.rank(), peer), held, tasks);
            }
        }
        tasks.run();
    }

    private static List<Passage> passages(List<ParityPlan> plans, int from, int to) {
        return plans.stream()
                .filter(plan -> plan.to() == to)
                .flatMap(plan -> plan.pieces().stream()
                        .filter(piece -> piece.from() == from)
                        .map(piece -> new Passage(plan, piece)))
                .toList();
    }

    private static Mixture mixture(Map<ParityPlan.Source, Mixture> made, Passage passage) {
        return Objects.requireNonNull(made.get(passage.plan().makes()));
    }

    private static void mixOwn(Passage passage, Content content, Mixture mixture) {
        byte[] bytes = new byte[(int) Math.min(ChunkWriter.BULK, passage.piece().length())];
        for (long done = 0; done < passage.piece().length(); done += bytes.length) {
            int count = (int) Math.min(bytes.length, passage.piece().length() - done);
            content.read(passage.piece().at() + done, ByteBuffer.wrap(bytes, 0, count));
            mixture.xor(passage.piece().into() + done, bytes, count);
        }
    }

    private void addIncoming(
            PeerLink link, List<Passage> passages, Map<ParityPlan.Source, Mixture> made, LinkTasks tasks) {
        if (!passages.isEmpty()) {
            ByteBuffer bulk = ByteBuffer.allocateDirect(ChunkWriter.BULK);
            byte[] bytes = new byte[ChunkWriter.BULK];
            tasks.add(() -> {
                for (Passage passage : passages) {
                    receive(link, passage.piece(), mixture(made, passage), bulk, bytes);
                }
            });
        }
    }

    private void receive(PeerLink link, ParityPlan.Piece piece, Mixture mixture, ByteBuffer bulk, byte[] bytes)
            throws BrokenLinkException {
        long end = piece.into() + piece.length();
        for (long chunk = piece.into(); chunk < end; chunk += IncomingBlob.CHUNK) {
            ByteBuffer header = link.receive().order(ByteOrder.LITTLE_ENDIAN);
            if (header.remaining() != HEADER || header.getLong() != chunk) {
                throw BrokenLinkException.malformed(
                        link.rank(), "no piece of " + piece.source() + " that goes to " + chunk);
            }
            int expected = header.getInt();
            CRC32C crc = new CRC32C();
            long last = Math.min(end, chunk + IncomingBlob.CHUNK);
            for (long at = chunk; at < last; at += ChunkWriter.BULK) {
                int count = (int) Math.min(ChunkWriter.BULK, last - at);
                link.receiveBulk(bulk.clear().limit(count));
                bulk.flip().get(bytes, 0, count);
                crc.update(bytes, 0, count);
                mixture.xor(at, bytes, count);
            }
            if ((int) crc.getValue() != expected) {
                throw BrokenLinkException.malformed(link.rank(), piece.source() + " of " + id + " arrived damaged");
            }
            FaultPoints.at(FaultInjector.Instant.FETCHING, mesh.rank(), id.version(), 0);
        }
    }

    private void addOutgoing(
            PeerLink link, List<Passage> passages, Function<ParityPlan.Source, Content> held, LinkTasks tasks) {
        if (!passages.isEmpty()) {
            List<Content> contents = new ArrayList<>();
            passages.forEach(passage -> contents.add(held.apply(passage.piece().source())));
            ByteBuffer header = ByteBuffer.allocateDirect(HEADER).order(ByteOrder.LITTLE_ENDIAN);
            ChunkMemory memory = new ChunkMemory();
            tasks.add(() -> {
                for (int i = 0; i < passages.size(); i++) {
                    send(link, passages.get(i).piece(), contents.get(i), header, memory);
                }
            });
        }
    }

    private void send(PeerLink link, ParityPlan.Piece piece, Content content, ByteBuffer header, ChunkMemory memory)
            throws BrokenLinkException {
        for (long done = 0; done < piece.length(); done += IncomingBlob.CHUNK) {
            FaultPoints.at(FaultInjector.Instant.SERVING, mesh.rank(), id.version(), 0);
            int count = (int) Math.min(IncomingBlob.CHUNK, piece.length() - done);
            ByteBuffer bytes = content.slice(piece.at() + done, count, memory);
            CRC32C crc = new CRC32C();
            crc.update(bytes.mark());
            bytes.reset();
            link.send(header.clear()
                    .putLong(piece.into() + done)
                    .putInt((int) crc.getValue())
                    .flip());
            for (int end = bytes.limit(); bytes.position() < end; ) {
                link.sendBulk(bytes.limit(Math.min(end, bytes.position() + ChunkWriter.BULK)));
            }
        }
    }
}
