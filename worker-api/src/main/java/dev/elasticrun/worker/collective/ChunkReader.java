/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import dev.elasticrun.worker.contract.CheckpointId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.ToIntBiFunction;
import java.util.zip.CRC32C;

/** Receives over one link what a {@link ChunkWriter} sends, into the places where it belongs. */
final class ChunkReader {
    private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private final PeerLink link;
    private final int rank;
    private final CheckpointShelf shelf;
    private final CheckpointId id;
    private final ToIntBiFunction<Integer, Integer> stated;
    private final ByteBuffer bulk = ByteBuffer.allocateDirect(ChunkWriter.BULK);

    /** @param stated by rank and owner, how long that rank said that the content is; -1 = it has not said */
    ChunkReader(
            PeerLink link, int rank, CheckpointShelf shelf, CheckpointId id, ToIntBiFunction<Integer, Integer> stated) {
        this.link = link;
        this.rank = rank;
        this.shelf = shelf;
        this.id = id;
        this.stated = stated;
    }

    /** Learns what comes next, and where it goes. */
    Arrival begin(Shipment shipment) throws BrokenLinkException {
        ByteBuffer header = frame(ChunkWriter.HEADER);
        int owner = header.getInt();
        int length = header.getInt();
        long digest = header.getLong();
        if (owner != shipment.owner() || length < 0 || length > MAX_LENGTH) {
            throw BrokenLinkException.malformed(
                    link.rank(),
                    length + " bytes of owner " + owner + " (expected: of " + shipment.owner() + ", 0 to " + MAX_LENGTH
                            + ")");
        }
        if (owner == Part.GLOBAL && !Checkpoint.isLazy(id) && digest != id.digest()) {
            throw BrokenLinkException.malformed(link.rank(), "another content than that of " + id);
        }
        int expected = stated.applyAsInt(link.rank(), owner);
        if (expected >= 0 && expected != length) {
            throw BrokenLinkException.malformed(
                    link.rank(), length + " bytes of owner " + owner + " (expected: " + expected + ", as it said)");
        }
        long witnesses = shipment.sources().stream()
                .filter(source -> stated.applyAsInt(source, owner) == length)
                .count();
        Arrival arrival = shelf.arrival(id, owner, length, digest, witnesses > 1);
        if (!arrival.contains(shipment.arrived())) {
            shelf.drop(arrival);
            throw BrokenLinkException.malformed(link.rank(), "another content of " + id + " than has begun to arrive");
        }
        return arrival;
    }

    void read(Shipment shipment, Arrival arrival) throws BrokenLinkException {
        for (int chunk : shipment.chunks(link.rank(), arrival.length())) {
            ByteBuffer header = frame(2 * Integer.BYTES);
            int number = header.getInt();
            int expected = header.getInt();
            if (number != chunk) {
                throw BrokenLinkException.malformed(link.rank(), "chunk " + number + " (expected: " + chunk + ")");
            }
            int start = chunk * Arrival.CHUNK;
            int end = start + Arrival.chunkLength(chunk, arrival.length());
            CRC32C crc = new CRC32C();
            for (int at = start; at < end; at += ChunkWriter.BULK) {
                int length = Math.min(ChunkWriter.BULK, end - at);
                link.receiveBulk(bulk.clear().limit(length));
                crc.update(bulk.flip());
                arrival.put(at, bulk.rewind());
            }
            if ((int) crc.getValue() != expected) {
                throw BrokenLinkException.malformed(link.rank(), "chunk " + chunk + " of " + id + " arrived damaged");
            }
            arrival.arrived(chunk);
            Instants.at(OperationListener.Instant.FETCHING, rank, id.version(), 0);
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
