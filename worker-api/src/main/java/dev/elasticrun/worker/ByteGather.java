/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of lengths that only their owners know: calls of several operations. Memory is taken as the bytes come, in pieces
 * of which each is as long as all before it: a wrong length costs no more than has really arrived.
 *
 * <p>A call that was interrupted between two of its operations continues from there when it is made again, as the other
 * ranks do not repeat the first ones.
 */
final class ByteGather {
    /** Bytes of the first piece, of all ranks together. */
    static final int FIRST = 1 << 24;

    static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private final Collective collective;
    private final int first;
    private @Nullable Broadcast interruptedBroadcast;
    private @Nullable Gather interruptedGather;

    ByteGather(Collective collective, int first) {
        this.collective = collective;
        this.first = first;
    }

    /** Returns the root's bytes. */
    byte[] broadcast(byte[] value, int root) {
        Broadcast before = interruptedBroadcast;
        Broadcast call =
                before != null && before.root() == root ? before : new Broadcast(collective, value, root, first);
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
        Gather before = interruptedGather;
        Gather call = before != null ? before : new Gather(collective, mine, first);
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
                    "rank " + rank + " states that it has " + length + " bytes (expected: 0 to " + MAX_LENGTH + ")");
        }
        return length;
    }

    /** One broadcast of bytes whose length only the root knows. Can be run again from the operation that it broke off in. */
    private static final class Broadcast {
        private final Collective collective;
        private final byte[] value;
        private final int root;
        private final int first;
        private int all = -1;
        private byte[] result = {};
        private int done;

        Broadcast(Collective collective, byte[] value, int root, int first) {
            this.collective = collective;
            this.value = value;
            this.root = root;
            this.first = first;
        }

        int root() {
            return root;
        }

        /** Whether an operation of it is done. */
        boolean hasBegun() {
            return all >= 0;
        }

        byte[] run() {
            if (!hasBegun()) {
                int[] length = {value.length};
                collective.broadcast(length, root);
                int stated = requireLength(root, length[0]);
                result = collective.rank() == root ? value.clone() : new byte[Math.min(first, stated)];
                all = stated;
            }
            do {
                int end = (int) Math.min(all, Math.max(first, 2L * done));
                if (result.length < end) {
                    result = Arrays.copyOf(result, end);
                }
                collective.broadcast(result, done, end - done, root);
                done = end;
            } while (done < all);
            return result;
        }
    }

    /** One gathering of bytes whose lengths only their ranks know. Can be run again from the operation that it broke off in. */
    private static final class Gather {
        private final Collective collective;
        private final byte[] mine;
        private final int[] lengths;
        private final List<byte[]> parts = new ArrayList<>();
        private int longest = -1;
        private int share;
        private int done;

        Gather(Collective collective, byte[] mine, int first) {
            this.collective = collective;
            this.mine = mine;
            this.lengths = new int[collective.worldSize()];
            this.share = Math.max(1, first / lengths.length);
        }

        /** Whether an operation of it is done. */
        boolean hasBegun() {
            return longest >= 0;
        }

        List<byte[]> run() {
            if (!hasBegun()) {
                collective.allGather(new int[] {mine.length}, lengths);
                int most = 0;
                for (int rank = 0; rank < lengths.length; rank++) {
                    most = Math.max(most, requireLength(rank, lengths[rank]));
                    parts.add(new byte[0]);
                }
                longest = most;
            }
            do {
                piece();
                done = (int) Math.min(longest, (long) done + share);
                share = Math.min(Math.max(share, done), MAX_LENGTH / lengths.length);
            } while (done < longest);
            return parts;
        }

        /** Gathers the next bytes of each rank from {@code done} on, at most a share. */
        private void piece() {
            int[] bounds = new int[lengths.length + 1];
            for (int rank = 0; rank < lengths.length; rank++) {
                bounds[rank + 1] = bounds[rank] + Math.min(share, Math.max(0, lengths[rank] - done));
            }
            byte[] all = new byte[bounds[lengths.length]];
            int own = collective.rank();
            System.arraycopy(mine, Math.min(done, mine.length), all, bounds[own], bounds[own + 1] - bounds[own]);
            collective.allGatherInPlace(all, bounds);
            for (int rank = 0; rank < lengths.length; rank++) {
                int count = bounds[rank + 1] - bounds[rank];
                if (count > 0) {
                    byte[] part = Arrays.copyOf(parts.get(rank), done + count);
                    System.arraycopy(all, bounds[rank], part, done, count);
                    parts.set(rank, part);
                }
            }
        }
    }
}
