/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

/**
 * Where a rank stands in the tree that spans the ranks from a root: depth log2(size), the same on all ranks. Computed
 * once, read in every operation.
 */
final class BinomialTree {
    private final boolean isRoot;
    private final int parent;
    private final int[] children;

    /**
     * @param rank the rank whose place is computed
     * @param size ranks in the tree
     * @param root the rank at the top
     */
    BinomialTree(int rank, int size, int root) {
        int place = Math.floorMod(rank - root, size);
        this.isRoot = place == 0;
        this.parent = (place - Integer.lowestOneBit(place) + root) % size;
        int limit = isRoot ? size : Integer.lowestOneBit(place);
        int count = 0;
        while (1 << count < limit && place + (1 << count) < size) {
            count++;
        }
        this.children = new int[count];
        for (int i = 0; i < count; i++) {
            children[i] = (place + (1 << i) + root) % size;
        }
    }

    boolean isRoot() {
        return isRoot;
    }

    /** Must not be called on the root. */
    int parent() {
        return parent;
    }

    int childCount() {
        return children.length;
    }

    /** Nearest first: the smallest subtree answers first when values go up. */
    int child(int index) {
        return children[index];
    }
}
