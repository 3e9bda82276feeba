/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

/**
 * Where the ranks of an operation show each other values, and meet. An operation opens it, writes values, meets the
 * others, reads theirs; to show more it meets them once more, and so on. Whoever is in an operation has seen all others
 * in it, so none is more than one operation ahead, and two slots in turns suffice.
 */
final class SharedStage {
    private static final System.Logger LOGGER = System.getLogger(SharedStage.class.getName());
    /** In the statement's place, behind the operation: which region the rank has. */
    private static final int GENERATION = SharedArea.STATEMENT - 2 * Long.BYTES;

    private static final int REGION_BYTES = SharedArea.STATEMENT - Long.BYTES;

    private final int rank;
    private final SharedArea mine;
    private final SharedArea[] areas;
    private final SharedWait wait;
    private final Mismatches mismatches;
    private final Memory[] sources;
    private final int maxRegion;
    private int slot;
    private int at;
    private long signal;
    private boolean isStated;
    private boolean isFull;

    /**
     * @param areas by rank
     * @param signal all areas' signals are at most that; the same on all ranks
     */
    SharedStage(PeerMesh mesh, SharedArea[] areas, long signal, int maxRegion) {
        this.rank = mesh.rank();
        this.mine = areas[rank];
        this.areas = areas;
        this.wait = new SharedWait(mesh);
        this.mismatches = new Mismatches(rank);
        this.sources = new Memory[areas.length];
        this.maxRegion = maxRegion;
        this.signal = signal;
    }

    /**
     * Begins an operation in which each rank shows up to that many bytes, the same on all ranks. Returns how many it can
     * show at a time, at least {@link SharedArea#SLOT}.
     */
    int open(Operation op, long bytes) throws BrokenLinkException {
        slot ^= 1;
        int statement = SharedArea.statement(slot);
        ByteBuffer out = mine.slots().bytes();
        op.write(out.clear().position(statement));
        useSlots();
        isStated = false;
        if (bytes <= SharedArea.SLOT) {
            return SharedArea.SLOT;
        }
        grow((int) Math.min(bytes, maxRegion));
        out.putLong(statement + GENERATION, mine.generation()).putLong(statement + REGION_BYTES, mine.regionBytes());
        meet(op);
        return useRegions();
    }

    /** Returns when all ranks have come here: what they had shown before can be read, what they have read replaced. */
    void meet(Operation op) throws BrokenLinkException {
        signal++;
        mine.signal(signal);
        for (int i = 1; i < areas.length; i++) {
            int peer = rank + i < areas.length ? rank + i : rank + i - areas.length;
            wait.await(areas[peer], peer, signal);
        }
        if (!isStated) {
            isStated = true;
            compare(op);
        }
    }

    /** Where this rank writes. */
    Memory own() {
        return sources[rank];
    }

    /** Where that rank has written. */
    Memory of(int peer) {
        return sources[peer];
    }

    /** The first byte for values, on all ranks. */
    int at() {
        return at;
    }

    private void compare(Operation op) throws BrokenLinkException {
        int statement = SharedArea.statement(slot);
        ByteBuffer ours = mine.slots().bytes();
        for (int peer = 0; peer < areas.length; peer++) {
            ByteBuffer theirs = areas[peer].slots().bytes();
            for (int i = 0; i < Operation.BYTES; i += Long.BYTES) {
                if (ours.getLong(statement + i) != theirs.getLong(statement + i)) {
                    mismatches.requireSame(op, peer, theirs.clear().position(statement));
                }
            }
        }
    }

    private void useSlots() {
        at = SharedArea.values(slot);
        for (int peer = 0; peer < areas.length; peer++) {
            sources[peer] = areas[peer].slots();
        }
    }

    private int useRegions() throws BrokenLinkException {
        int statement = SharedArea.statement(slot);
        int least = Integer.MAX_VALUE;
        for (SharedArea area : areas) {
            least = Math.min(least, (int) area.slots().bytes().getLong(statement + REGION_BYTES));
        }
        if (least < SharedArea.SLOT) {
            return SharedArea.SLOT;
        }
        for (int peer = 0; peer < areas.length; peer++) {
            ByteBuffer stated = areas[peer].slots().bytes();
            try {
                areas[peer].follow(
                        stated.getLong(statement + GENERATION), (int) stated.getLong(statement + REGION_BYTES));
            } catch (IOException e) {
                throw new BrokenLinkException(peer, e);
            }
            sources[peer] = areas[peer].region();
        }
        at = 0;
        return least;
    }

    private void grow(int bytes) {
        if (mine.regionBytes() >= bytes || isFull) {
            return;
        }
        int wanted = bytes > maxRegion / 2 ? maxRegion : Integer.highestOneBit(bytes - 1) << 1;
        try {
            mine.grow(wanted);
        } catch (IOException e) {
            isFull = true;
            LOGGER.log(
                    Level.WARNING,
                    "no room to share " + wanted + " bytes with the workers of this node, it will be"
                            + " done piece by piece: " + e);
        }
    }
}
