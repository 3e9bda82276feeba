/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.checkpoint.transfer;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.contract.CheckpointId;
import dev.elasticrun.worker.internal.checkpoint.ChunkMemory;
import dev.elasticrun.worker.internal.checkpoint.Content;
import dev.elasticrun.worker.internal.checkpoint.FileBlob;
import dev.elasticrun.worker.internal.checkpoint.IncomingBlob;
import dev.elasticrun.worker.internal.checkpoint.StatePart;
import dev.elasticrun.worker.internal.checkpoint.agreement.TransferPlan;
import dev.elasticrun.worker.internal.faults.FaultInjector;
import dev.elasticrun.worker.internal.faults.FaultPoints;
import dev.elasticrun.worker.internal.net.PeerLink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Sends contents over one link: for each a frame that describes it, then its chunks, each a frame with its number and
 * CRC32C, and its bytes in bulk.
 */
final class ChunkWriter {
    /** Bytes of a bulk frame: small enough to stay in a core's cache between two passes. */
    static final int BULK = 1 << 18;

    static final int HEADER = 2 * Integer.BYTES + 2 * Long.BYTES;

    /** A content that stays outside of the heap where it arrives. */
    static final int STREAMED = 1;

    private final PeerLink link;
    private final int rank;
    private final CheckpointId id;
    private final ChunkMemory memory = new ChunkMemory();
    private final ByteBuffer header = ByteBuffer.allocateDirect(HEADER).order(ByteOrder.LITTLE_ENDIAN);

    ChunkWriter(PeerLink link, int rank, CheckpointId id) {
        this.link = link;
        this.rank = rank;
        this.id = id;
    }

    void write(TransferPlan transferPlan, StatePart part) throws BrokenLinkException {
        Content content = part.content();
        link.send(header.clear()
                .putInt(transferPlan.owner())
                .putInt(content instanceof FileBlob ? STREAMED : 0)
                .putLong(content.length())
                .putLong(part.digest())
                .flip());
        for (int chunk : transferPlan.chunks(rank, content.length())) {
            FaultPoints.at(FaultInjector.Instant.SERVING, rank, id.version(), 0);
            int length = IncomingBlob.chunkLength(chunk, content.length());
            ByteBuffer bytes = content.slice((long) chunk * IncomingBlob.CHUNK, length, memory);
            CRC32C crc = new CRC32C();
            crc.update(bytes.mark());
            bytes.reset();
            link.send(header.clear().putInt(chunk).putInt((int) crc.getValue()).flip());
            for (int end = bytes.limit(); bytes.position() < end; ) {
                link.sendBulk(bytes.limit(Math.min(end, bytes.position() + BULK)));
            }
        }
    }
}
