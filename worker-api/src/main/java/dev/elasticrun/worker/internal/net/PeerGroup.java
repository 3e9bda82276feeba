/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Ranks of a round that exchange data among themselves, in ascending order: each has a place in the group, from 0 on.
 * This rank is one of them.
 */
public final class PeerGroup {
    private final PeerMesh mesh;
    private final int[] ranks;
    private final int place;

    public PeerGroup(PeerMesh mesh, List<Integer> ranks) {
        this.mesh = mesh;
        this.ranks = ranks.stream().mapToInt(Integer::intValue).toArray();
        this.place = ranks.indexOf(mesh.rank());
    }

    public static PeerGroup all(PeerMesh mesh) {
        return new PeerGroup(mesh, IntStream.range(0, mesh.size()).boxed().toList());
    }

    /** This rank's place. */
    public int place() {
        return place;
    }

    public int size() {
        return ranks.length;
    }

    /** The rank at that place. */
    public int rank(int at) {
        return ranks[at];
    }

    /** The link to the rank at that place. */
    public PeerLink link(int at) throws BrokenLinkException {
        return mesh.link(ranks[at]);
    }

    public boolean isClosed() {
        return mesh.isClosed();
    }

    /** Whether there is a processor for each rank of the round, if all were on this host. */
    public boolean isSideBySide() {
        return mesh.size() <= Runtime.getRuntime().availableProcessors();
    }
}
