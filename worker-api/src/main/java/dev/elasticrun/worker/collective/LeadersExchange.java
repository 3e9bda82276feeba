/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import org.jspecify.annotations.Nullable;

/**
 * Operations of several nodes, some of which have several ranks: each node's ranks first do their part over shared memory,
 * then the nodes' first ranks do it among themselves over the links, then each node's ranks get the result. So each value
 * crosses the network for each node once. Values are combined in the order of ranks within a node, then in the order of
 * nodes: as far as the bits go, the result depends on how the ranks are spread over nodes, too.
 */
final class LeadersExchange implements Exchange {
    private final int rank;
    private final int node;
    private final NodeLayout layout;
    private final Exchange within;
    /** Null = another rank leads the node. */
    private final @Nullable Exchange leaders;

    private final int[] memberBounds;
    private final int[] nodeBounds;
    /** The caller's values stay as they are until the result is there. */
    private final Scratch scratch = new Scratch();

    private final Region work = new Region();

    /**
     * @param within of this rank's node
     * @param leaders of the nodes' first ranks; null if this rank is none of them
     */
    LeadersExchange(int rank, NodeLayout layout, Exchange within, @Nullable Exchange leaders) {
        this.rank = rank;
        this.node = layout.nodeOf(rank);
        this.layout = layout;
        this.within = within;
        this.leaders = leaders;
        this.memberBounds = new int[layout.first(node + 1) - layout.first(node) + 1];
        this.nodeBounds = new int[layout.nodes() + 1];
    }

    @Override
    public void allReduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        Memory result = reduce(op, combiner, data);
        data.copyFrom(0, result, 0, data.count());
    }

    /** A part of what all get: that costs more than needed, and no way of its own. */
    @Override
    public void reduceScatter(Operation op, Combiner combiner, Region data, int[] bounds, Region mine)
            throws BrokenLinkException {
        Memory result = reduce(op, combiner, data);
        mine.copyFrom(0, result, bounds[rank] * data.type().width(), mine.count());
    }

    @Override
    public void broadcast(Operation op, int root, Region data) throws BrokenLinkException {
        Memory values = scratch.take(data.bytes());
        work.set(data.type(), values, 0, data.count());
        if (rank == root) {
            data.copyTo(0, values, 0, data.count());
        }
        int home = layout.nodeOf(root);
        if (node == home) {
            within.broadcast(op, root - layout.first(home), work);
        }
        if (leaders != null) {
            leaders.broadcast(op, home, work);
        }
        if (node != home) {
            within.broadcast(op, 0, work);
        }
        if (rank != root) {
            data.copyFrom(0, values, 0, data.count());
        }
    }

    @Override
    public void allGather(Operation op, Region data, int[] bounds) throws BrokenLinkException {
        Memory values = scratch.take(data.bytes());
        work.set(data.type(), values, 0, data.count());
        data.copyTo(bounds[rank], values, bounds[rank] * data.type().width(), bounds[rank + 1] - bounds[rank]);
        System.arraycopy(bounds, layout.first(node), memberBounds, 0, memberBounds.length);
        for (int each = 0; each <= layout.nodes(); each++) {
            nodeBounds[each] = bounds[layout.first(each)];
        }
        within.allGather(op, work, memberBounds);
        if (leaders != null) {
            leaders.allGather(op, work, nodeBounds);
        }
        within.broadcast(op, 0, work);
        data.copyFrom(0, values, 0, data.count());
    }

    @Override
    public void barrier(Operation op) throws BrokenLinkException {
        within.barrier(op);
        if (leaders != null) {
            leaders.barrier(op);
        }
        within.barrier(op);
    }

    @Override
    public void agree(Operation op, long digest) throws BrokenLinkException {
        within.agree(op, digest);
        if (leaders != null) {
            leaders.agree(op, digest);
        }
        within.barrier(op);
    }

    private Memory reduce(Operation op, Combiner combiner, Region data) throws BrokenLinkException {
        Memory values = scratch.take(data.bytes());
        work.set(data.type(), values, 0, data.count());
        data.copyTo(0, values, 0, data.count());
        within.allReduce(op, combiner, work);
        if (leaders != null) {
            leaders.allReduce(op, combiner, work);
        }
        within.broadcast(op, 0, work);
        return values;
    }
}
