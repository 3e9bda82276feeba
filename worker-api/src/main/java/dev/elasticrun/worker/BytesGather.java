/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** One gathering of bytes whose lengths only their ranks know. Can be run again from the operation that it broke off in. */
final class BytesGather {
    private final Collective collective;
    private final byte[] mine;
    private final int[] lengths;
    private final List<byte[]> parts = new ArrayList<>();
    private int longest = -1;
    private int share;
    private int done;

    BytesGather(Collective collective, byte[] mine, int first) {
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
                most = Math.max(most, ByteGather.requireLength(rank, lengths[rank]));
                parts.add(new byte[0]);
            }
            longest = most;
        }
        do {
            piece();
            done = (int) Math.min(longest, (long) done + share);
            share = Math.min(Math.max(share, done), ByteGather.MAX_LENGTH / lengths.length);
        } while (done < longest);
        return parts;
    }

    /** Of each rank's bytes from {@code done} on, so many as there are, at most a share. */
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
