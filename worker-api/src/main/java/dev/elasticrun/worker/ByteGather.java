/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of lengths that only their owners know: calls of several operations. Memory is taken as the bytes come, in pieces
 * of which each is as long as all before it: a wrong length costs no more than has really arrived.
 *
 * <p>A call that was interrupted between two of its operations goes on from there when it is made again, as the other
 * ranks do not make the first ones again.
 */
final class ByteGather {
    /** Bytes of the first piece, of all ranks together. */
    static final int FIRST = 1 << 24;

    static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private final Collective collective;
    private final int first;
    private @Nullable BytesBroadcast interruptedBroadcast;
    private @Nullable BytesGather interruptedGather;

    ByteGather(Collective collective, int first) {
        this.collective = collective;
        this.first = first;
    }

    /** Returns the root's bytes. */
    byte[] broadcast(byte[] value, int root) {
        BytesBroadcast before = interruptedBroadcast;
        BytesBroadcast call =
                before != null && before.root() == root ? before : new BytesBroadcast(collective, value, root, first);
        interruptedBroadcast = null;
        try {
            return call.run();
        } catch (CancellationException e) {
            interruptedBroadcast = call.hasBegun() ? call : null;
            throw e;
        }
    }

    /** Returns the bytes of each rank. */
    List<byte[]> gather(byte[] mine) {
        BytesGather before = interruptedGather;
        BytesGather call = before != null ? before : new BytesGather(collective, mine, first);
        interruptedGather = null;
        try {
            return call.run();
        } catch (CancellationException e) {
            interruptedGather = call.hasBegun() ? call : null;
            throw e;
        }
    }

    static int requireLength(int rank, int length) {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalStateException(
                    "rank " + rank + " says that it has " + length + " bytes (expected: 0 to " + MAX_LENGTH + ")");
        }
        return length;
    }
}
