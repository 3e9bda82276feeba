/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import java.util.Arrays;

/** One broadcast of bytes whose length only the root knows. Can be run again from the operation that it broke off in. */
final class BytesBroadcast {
    private final Collective collective;
    private final byte[] value;
    private final int root;
    private final int first;
    private int all = -1;
    private byte[] result = {};
    private int done;

    BytesBroadcast(Collective collective, byte[] value, int root, int first) {
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
            int stated = ByteGather.requireLength(root, length[0]);
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
