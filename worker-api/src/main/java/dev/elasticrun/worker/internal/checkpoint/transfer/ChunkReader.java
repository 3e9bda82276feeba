/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.Checkpoint;
import dev.elasticrun.worker.internal.checkpoint.CheckpointStore;
import dev.elasticrun.worker.internal.checkpoint.ChunkMemory;
import dev.elasticrun.worker.internal.checkpoint.ContentPool;
import dev.elasticrun.worker.internal.checkpoint.IncomingBlob;
import dev.elasticrun.worker.internal.checkpoint.agreement.CheckpointInventory;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferPlan;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.faults.FaultPoints;
import dev.elasticrun.worker.internal.net.Digest;
import dev.elasticrun.worker.internal.net.PeerLink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.ToLongBiFunction;
import java.util.zip.CRC32C;

/** Receives over one link what a {@link ChunkWriter} sends, into the places where it belongs. */
final class ChunkReader {
    private final PeerLink link;
    private final int rank;
    private final CheckpointStore checkpointStore;
    private final CheckpointId id;
    private final ToLongBiFunction<Integer, Integer> stated;
    private final ChunkMemory memory = new ChunkMemory();
    private final ByteBuffer bulk = ByteBuffer.allocateDirect(ChunkWriter.BULK);

    /** @param stated by rank and owner, the content's length that the rank has stated; -1 = not stated yet */
    ChunkReader(
            PeerLink link,
            int rank,
            CheckpointStore checkpointStore,
            CheckpointId id,
            ToLongBiFunction<Integer, Integer> stated) {
        this.link = link;
        this.rank = rank;
        this.checkpointStore = checkpointStore;
        this.id = id;
        this.stated = stated;
    }

    /** Learns what comes next, and where it goes. */
    IncomingBlob begin(TransferPlan transferPlan) throws BrokenLinkException {
        ByteBuffer header = frame(ChunkWriter.HEADER);
        int owner = header.getInt();
        boolean isStreamed = (header.getInt() & ChunkWriter.STREAMED) != 0;
        long length = header.getLong();
        long digest = header.getLong();
        long most = isStreamed ? Digest.MAX_LENGTH : ContentPool.MAX_LENGTH;
        if (owner != transferPlan.owner() || length < 0 || length > most) {
            throw BrokenLinkException.malformed(
                    link.rank(),
                    length + " bytes of owner " + owner + " (expected: of " + transferPlan.owner() + ", 0 to " + most
                            + ")");
        }
        if (owner == CheckpointInventory.GLOBAL && !Checkpoint.isLazy(id) && digest != id.digest()) {
            throw BrokenLinkException.malformed(link.rank(), "another content than that of " + id);
        }
        long expected = stated.applyAsLong(link.rank(), owner);
        if (expected >= 0 && expected != length) {
            throw BrokenLinkException.malformed(
                    link.rank(), length + " bytes of owner " + owner + " (expected: " + expected + ", as it stated)");
        }
        long witnesses = transferPlan.sources().stream()
                .filter(source -> stated.applyAsLong(source, owner) == length)
                .count();
        IncomingBlob arrival = checkpointStore.arrival(id, owner, length, digest, isStreamed, witnesses > 1);
        if (!arrival.contains(transferPlan.arrived())) {
            checkpointStore.drop(arrival);
            throw BrokenLinkException.malformed(link.rank(), "another content of " + id + " than has begun to arrive");
        }
        return arrival;
    }

    void read(TransferPlan transferPlan, IncomingBlob arrival) throws BrokenLinkException {
        for (int chunk : transferPlan.chunks(link.rank(), arrival.length())) {
            ByteBuffer header = frame(2 * Integer.BYTES);
            int number = header.getInt();
            int expected = header.getInt();
            if (number != chunk) {
                throw BrokenLinkException.malformed(link.rank(), "chunk " + number + " (expected: " + chunk + ")");
            }
            long start = (long) chunk * IncomingBlob.CHUNK;
            long end = start + IncomingBlob.chunkLength(chunk, arrival.length());
            CRC32C crc = new CRC32C();
            for (long at = start; at < end; at += ChunkWriter.BULK) {
                int length = (int) Math.min(ChunkWriter.BULK, end - at);
                link.receiveBulk(bulk.clear().limit(length));
                crc.update(bulk.flip());
                arrival.put(at, bulk.rewind());
            }
            if ((int) crc.getValue() != expected) {
                throw BrokenLinkException.malformed(link.rank(), "chunk " + chunk + " of " + id + " arrived damaged");
            }
            arrival.arrived(chunk, memory);
            FaultPoints.at(FaultInjector.Instant.FETCHING, rank, id.version(), 0);
        }
    }

    private ByteBuffer frame(int bytes) throws BrokenLinkException {
        ByteBuffer frame = link.receive();
        if (frame.remaining() != bytes) {
            throw BrokenLinkException.malformed(
                    link.rank(), "a frame of " + frame.remaining() + " bytes (expected: " + bytes + ")");
        }
        return frame.order(ByteOrder.LITTLE_ENDIAN);
    }
}
