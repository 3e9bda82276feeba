/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import org.jspecify.annotations.Nullable;

/**
 * Operations of several nodes, some of which have several ranks: each node's ranks first do their part over shared memory,
 * then the nodes' first ranks do it among themselves over the links, then each node's ranks get the result. So each value
 * crosses the network for each node once. Values are combined in the order of ranks within a node, then in the order of
 * nodes: as far as the bits go, the result depends on how the ranks are spread over nodes, too.
 */
public final class LeadersExchange implements Exchange {
    private final int rank;
    private final int node;
    private final NodeLayout layout;
    private final Exchange within;
    /** Null = another rank leads the node. */
    private final @Nullable Exchange leaders;

    private final int[] memberBounds;
    private final int[] nodeBounds;
    private final Scratch scratch = new Scratch();

    private final Region work = new Region();
    private final Region part = new Region();

    /**
     * @param within of this rank's node
     * @param leaders of the nodes' first ranks; null if this rank is none of them
     */
    public LeadersExchange(int rank, NodeLayout layout, Exchange within, @Nullable Exchange leaders) {
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
        Region values = data.isSpare() ? data : copy(data, 0, data.count());
        reduce(op, combiner, values);
        finish(data, values);
    }

    /** A part of what all get: that costs more than needed, and no way of its own. */
    @Override
    public void reduceScatter(Operation op, Combiner combiner, Region data, int[] bounds, Region mine)
            throws BrokenLinkException {
        reduce(op, combiner, copy(data, 0, data.count()));
        mine.copyFrom(0, scratch.take(data.bytes()), bounds[rank] * data.type().width(), mine.count());
    }

    @Override
    public void broadcast(Operation op, int root, Region data) throws BrokenLinkException {
        Region values = data.isSpare() ? data : copy(data, 0, rank == root ? data.count() : 0);
        int home = layout.nodeOf(root);
        if (node == home) {
            within.broadcast(op, root - layout.first(home), values);
        }
        if (leaders != null) {
            leaders.broadcast(op, home, values);
        }
        if (node != home) {
            within.broadcast(op, 0, values);
        }
        if (rank != root) {
            finish(data, values);
        }
    }

    @Override
    public void allGather(Operation op, Region data, int[] bounds) throws BrokenLinkException {
        Region values = data.isSpare() ? data : copy(data, bounds[rank], bounds[rank + 1] - bounds[rank]);
        System.arraycopy(bounds, layout.first(node), memberBounds, 0, memberBounds.length);
        for (int each = 0; each <= layout.nodes(); each++) {
            nodeBounds[each] = bounds[layout.first(each)];
        }
        int first = nodeBounds[node];
        for (int each = 0; each < memberBounds.length; each++) {
            memberBounds[each] -= first;
        }
        int end = nodeBounds[node + 1];
        within.allGather(op, part.part(values, first, end - first), memberBounds);
        if (leaders != null) {
            leaders.allGather(op, values, nodeBounds);
        }
        if (first > 0) {
            within.broadcast(op, 0, part.part(values, 0, first));
        }
        if (first == 0 || end < data.count()) {
            within.broadcast(op, 0, part.part(values, end, data.count() - end));
        }
        finish(data, values);
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

    private void reduce(Operation op, Combiner combiner, Region values) throws BrokenLinkException {
        within.allReduce(op, combiner, values);
        if (leaders != null) {
            leaders.allReduce(op, combiner, values);
        }
        within.broadcast(op, 0, values);
    }

    /** A copy of some of the caller's values, which stay as they are until the result is there. */
    private Region copy(Region data, int from, int count) {
        Memory own = scratch.take(data.bytes());
        data.copyTo(from, own, from * data.type().width(), count);
        return work.set(data.type(), own, 0, data.count());
    }

    private void finish(Region data, Region values) {
        if (values != data) {
            data.copyFrom(0, scratch.take(data.bytes()), 0, data.count());
        }
    }
}
