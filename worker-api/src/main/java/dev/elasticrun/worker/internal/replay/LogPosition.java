/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.replay;

import dev.elasticrun.worker.internal.engine.PeerState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * The part of a rank's {@link PeerState} that states the position of its program, and which results its log still has.
 *
 * @param world world that the rank has worked in; 0 = none, it is new
 * @param era counts the histories of operations: a rollback of all ranks begins another one; 0 = none
 * @param isContinuing a call waits, or will be made, that continues from here; false = the program begins again at the
 *     checkpoint
 * @param version checkpoint that {@code seq} counts from
 * @param seq operations completed since then
 * @param floor the log has none of an older number, but perhaps the newest
 * @param stride of those from the floor it has every stride-th: number mod stride = rank mod stride
 */
public record LogPosition(long world, long era, boolean isContinuing, long version, long seq, long floor, int stride) {
    public static final LogPosition NONE = new LogPosition(0, 0, false, 0, 0, 0, 1);

    public LogPosition {
        if (seq < 0 || floor < 0) {
            throw new IllegalArgumentException("seq: " + seq + ", floor: " + floor + " (expected: >= 0)");
        }
        if (stride < 1) {
            throw new IllegalArgumentException("stride: " + stride + " (expected: >= 1)");
        }
    }

    /** Whether the log of this rank has the result. The newest is always there. */
    boolean holds(int rank, long operation) {
        return operation < seq && (operation == seq - 1 || (operation >= floor && operation % stride == rank % stride));
    }

    public void write(DataOutputStream out) throws IOException {
        out.writeLong(world);
        out.writeLong(era);
        out.writeBoolean(isContinuing);
        out.writeLong(version);
        out.writeLong(seq);
        out.writeLong(floor);
        out.writeInt(stride);
    }

    public static LogPosition read(DataInputStream in) throws IOException {
        return new LogPosition(
                in.readLong(),
                in.readLong(),
                in.readBoolean(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readInt());
    }
}
