/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

/**
 * Where a rank stands in the tree that spans the ranks from a root: depth log2(size), the same on all ranks.
 *
 * @param rank of whoever asks
 * @param size ranks in the tree
 * @param root the rank at the top
 */
record BinomialTree(int rank, int size, int root) {

    boolean isRoot() {
        return rank == root;
    }

    /** Must not be asked of the root. */
    int parent() {
        int place = place();
        return rankAt(place - Integer.lowestOneBit(place));
    }

    /** Nearest first: the smallest subtree answers first when values go up. */
    int[] children() {
        int place = place();
        int limit = place == 0 ? size : Integer.lowestOneBit(place);
        int count = 0;
        while (1 << count < limit && place + (1 << count) < size) {
            count++;
        }
        int[] children = new int[count];
        for (int i = 0; i < count; i++) {
            children[i] = rankAt(place + (1 << i));
        }
        return children;
    }

    private int place() {
        return Math.floorMod(rank - root, size);
    }

    private int rankAt(int place) {
        return (place + root) % size;
    }
}
