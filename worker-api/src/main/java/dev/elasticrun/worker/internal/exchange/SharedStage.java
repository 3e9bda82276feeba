/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.net.PeerGroup;
import java.nio.ByteBuffer;

/**
 * Where the ranks of an operation show each other values. Time passes in ticks, which all ranks count alike: in each, a
 * rank writes into that tick's slot, shows it, and reads what others have shown in this tick or the one before. So no
 * rank is more than two ticks ahead of what another still reads, and four slots in turns suffice.
 */
final class SharedStage {
    private final PeerGroup group;
    private final int rank;
    private final SharedArea mine;
    private final SharedArea[] areas;
    private final SharedWait wait;
    private final Mismatches mismatches;
    private long tick;
    private long first;
    private boolean isCompared;

    /**
     * @param areas by place in the group
     * @param signal all areas' signals are at most that; the same on all ranks
     */
    SharedStage(PeerGroup group, SharedArea[] areas, long signal) {
        this.group = group;
        this.rank = group.place();
        this.mine = areas[rank];
        this.areas = areas;
        this.wait = new SharedWait(group);
        this.mismatches = new Mismatches(group.rank(rank));
        this.tick = signal;
    }

    /** The first tick of an operation: its statement is shown with the values. */
    void begin(Operation op) {
        next();
        first = tick;
        isCompared = false;
        op.write(mine.slots().bytes().clear().position(SharedArea.statement(slot(0))));
    }

    /** One more tick. The values of the fourth last one are gone. */
    void next() {
        tick++;
    }

    /** What this rank has written in this tick can be read. */
    void show() {
        mine.signal(tick);
    }

    /** Returns when all ranks have shown what they had to in this tick (0) or the last one (1). */
    void await(Operation op, int ticksAgo) throws BrokenLinkException {
        long wanted = tick - ticksAgo;
        for (int i = 1; i < areas.length; i++) {
            int peer = rank + i < areas.length ? rank + i : rank + i - areas.length;
            wait.await(areas[peer], peer, wanted);
        }
        if (!isCompared && wanted >= first) {
            isCompared = true;
            compare(op);
        }
    }

    /** What that rank writes, or has written. */
    Memory of(int peer) {
        return areas[peer].slots();
    }

    /** Where the values of this tick (0) or the last one (1) begin, on all ranks. */
    int at(int ticksAgo) {
        return SharedArea.values(slot(ticksAgo));
    }

    private int slot(int ticksAgo) {
        return (int) ((tick - ticksAgo) & (SharedArea.SLOTS - 1));
    }

    private void compare(Operation op) throws BrokenLinkException {
        int statement = SharedArea.statement((int) (first & (SharedArea.SLOTS - 1)));
        ByteBuffer ours = mine.slots().bytes();
        for (int peer = 0; peer < areas.length; peer++) {
            ByteBuffer theirs = areas[peer].slots().bytes();
            for (int i = 0; i < Operation.BYTES; i += Long.BYTES) {
                if (ours.getLong(statement + i) != theirs.getLong(statement + i)) {
                    mismatches.requireSame(op, group.rank(peer), theirs.clear().position(statement));
                }
            }
        }
    }
}
