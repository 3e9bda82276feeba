/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes of lengths that only their owners know. Memory is taken as the bytes come, in pieces of which each is as long as
 * all before it: a wrong length costs no more than has really arrived.
 */
final class Gathering {
    /** Bytes of the first piece, of all ranks together. */
    static final int FIRST = 1 << 24;

    private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

    private Gathering() {}

    /** Returns the root's bytes. */
    static byte[] broadcast(Collective collective, byte[] value, int root, int first) {
        int[] length = {value.length};
        collective.broadcast(length, root);
        int all = requireLength(root, length[0]);
        byte[] result = collective.rank() == root ? value.clone() : new byte[Math.min(first, all)];
        int done = 0;
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

    /** Returns the bytes of each rank. */
    static List<byte[]> gather(Collective collective, byte[] mine, int first) {
        int size = collective.worldSize();
        int[] lengths = new int[size];
        collective.allGather(new int[] {mine.length}, lengths);
        int longest = 0;
        List<byte[]> parts = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            longest = Math.max(longest, requireLength(rank, lengths[rank]));
            parts.add(new byte[0]);
        }
        int done = 0;
        int share = Math.max(1, first / size);
        do {
            piece(collective, mine, lengths, parts, done, share);
            done = (int) Math.min(longest, (long) done + share);
            share = Math.min(Math.max(share, done), MAX_LENGTH / size);
        } while (done < longest);
        return parts;
    }

    /** Of each rank's bytes from {@code done} on, so many as there are, at most a share. */
    private static void piece(
            Collective collective, byte[] mine, int[] lengths, List<byte[]> parts, int done, int share) {
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

    private static int requireLength(int rank, int length) {
        if (length < 0 || length > MAX_LENGTH) {
            throw new IllegalStateException(
                    "rank " + rank + " says that it has " + length + " bytes (expected: 0 to " + MAX_LENGTH + ")");
        }
        return length;
    }
}
