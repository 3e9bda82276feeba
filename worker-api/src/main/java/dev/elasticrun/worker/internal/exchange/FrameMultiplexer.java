/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.exchange;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.internal.net.PeerGroup;
import dev.elasticrun.worker.internal.net.PeerLink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends to all peers and receives from all at once, and waits in none of the links: whatever the order in which they
 * are ready, no ranks wait in a circle. The first frame to each peer states the operation, and no value of a peer's is
 * taken before its statement was compared. When nothing moves it polls again at once, if there is a processor for each
 * rank, then yields, then sleeps for longer and longer. User thread only.
 */
final class FrameMultiplexer {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int LOOKS = 200;
    // Between two polls: continuous polling delays the peer, whose system call delivers what it sends.
    private static final int SPINS = 50;

    private static final int YIELDS = 200;
    // About a second: a peer that is done and ends hangs up, too, but not long before the others are done.
    private static final int SLEEPS_BEFORE_DOUBT = 2000;

    private static final long FIRST_SLEEP_NANOS = 20_000;
    private static final long LAST_SLEEP_NANOS = 500_000;

    private final PeerGroup group;
    private final Mismatches mismatches;
    private final int looks;
    private final ByteBuffer statement =
            ByteBuffer.allocateDirect(Operation.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    /** By place: the same bytes, to be sent. */
    private final ByteBuffer[] statements;

    private final boolean[] isUnstated;
    private final boolean[] isAwaited;
    private int awaited;
    private int idle;

    /**
     * What is to be sent and received. Peers are asked for in turns; a frame is begun when the last one is complete. Where
     * the first frame of an operation goes is known at once.
     */
    interface Traffic {
        /** Whether anything goes to that peer and comes from it. The same on both ends. */
        default boolean isPeer(int peer) {
            return true;
        }

        /** Whether the statement goes to that peer at once, though there may be no values for it yet. */
        default boolean isEarly(int peer) {
            return true;
        }

        /** The next frame to that peer, which counts as sent; null = there is none, or none yet. */
        @Nullable
        ByteBuffer outgoing(int peer);

        /** Where the next frame of that peer goes; null = none is expected now. The same until it has arrived. */
        @Nullable
        ByteBuffer target(int peer);

        /** The target is full. */
        void arrived(int peer);

        /** Whether a frame of that peer is still to come, now or later. */
        boolean isAwaited(int peer);

        /** Whether no frame will be started or expected any more. */
        boolean isDone();
    }

    FrameMultiplexer(PeerGroup group) {
        this.group = group;
        this.mismatches = new Mismatches(group.rank(group.place()));
        this.looks = group.isSideBySide() ? LOOKS : 0;
        this.statements = new ByteBuffer[group.size()];
        Arrays.setAll(statements, peer -> statement.duplicate());
        this.isUnstated = new boolean[group.size()];
        this.isAwaited = new boolean[group.size()];
    }

    /** States the operation; returns when all have stated it, and all is sent and received. */
    void run(Operation op, Traffic traffic) throws BrokenLinkException {
        op.write(statement.clear());
        awaited = 0;
        for (int peer = 0; peer < group.size(); peer++) {
            boolean isPeer = peer != group.place() && traffic.isPeer(peer);
            isUnstated[peer] = isPeer;
            isAwaited[peer] = isPeer;
            awaited += isPeer ? 1 : 0;
        }
        goOn(op, traffic);
    }

    /** Returns when all that the operation has besides is sent and received. */
    void goOn(Operation op, Traffic traffic) throws BrokenLinkException {
        try {
            idle = 0;
            while (!turn(op, traffic)) {
                if (idle > 0) {
                    pause();
                }
            }
        } finally {
            rest();
        }
    }

    /** One look at each link. Returns whether that was all; counts turns in which nothing moved. */
    private boolean turn(Operation op, Traffic traffic) throws BrokenLinkException {
        int moved = 0;
        boolean isSent = true;
        for (int i = 1; i < group.size(); i++) {
            int peer = group.place() + i < group.size() ? group.place() + i : group.place() + i - group.size();
            if (!traffic.isPeer(peer)) {
                continue;
            }
            PeerLink link = group.link(peer);
            moved += send(traffic, peer, link);
            isSent &= !link.isSending();
            moved += receive(op, traffic, peer, link);
        }
        idle = moved > 0 ? 0 : idle + 1;
        if (isSent && awaited == 0 && traffic.isDone()) {
            return true;
        }
        if (idle > looks + YIELDS) {
            listen(op, traffic);
        }
        return false;
    }

    private void listen(Operation op, Traffic traffic) throws BrokenLinkException {
        for (int peer = 0; peer < group.size(); peer++) {
            if (peer != group.place() && traffic.isPeer(peer) && isDoubtful(traffic, peer)) {
                listen(op, group.link(peer));
            }
        }
    }

    // Whether this peer's link must be checked, too, because another peer has been awaited for too long. Links from
    // which something is received now are checked by that.
    private boolean isDoubtful(Traffic traffic, int peer) {
        boolean late = traffic.isAwaited(peer) || idle - looks - YIELDS > SLEEPS_BEFORE_DOUBT;
        return late && !isAwaited[peer] && traffic.target(peer) == null;
    }

    // Throws if the peer cannot continue. A peer that has stated that it leaves may be gone before all others are.
    private static void listen(Operation op, PeerLink link) throws BrokenLinkException {
        try {
            link.listen();
        } catch (BrokenLinkException e) {
            if (!op.isParting() || e.rank() != link.rank()) {
                throw e;
            }
        }
    }

    private int send(Traffic traffic, int peer, PeerLink link) throws BrokenLinkException {
        int moved = 0;
        while (link.isSending() || start(traffic, peer, link)) {
            moved += link.sendSome();
            if (link.isSending()) {
                return moved;
            }
        }
        return moved;
    }

    private boolean start(Traffic traffic, int peer, PeerLink link) throws BrokenLinkException {
        ByteBuffer values = traffic.outgoing(peer);
        if (isUnstated[peer]) {
            if (values == null && !traffic.isEarly(peer)) {
                return false;
            }
            isUnstated[peer] = false;
            link.start(statements[peer].clear(), values == null ? NOTHING : values);
        } else if (values == null) {
            return false;
        } else {
            link.start(NOTHING, values);
        }
        return true;
    }

    private int receive(Operation op, Traffic traffic, int peer, PeerLink link) throws BrokenLinkException {
        if (isAwaited[peer] && !receiveStatement(op, traffic.target(peer), peer, link)) {
            return 0;
        }
        int moved = 0;
        for (ByteBuffer target = traffic.target(peer); target != null; target = traffic.target(peer)) {
            moved += link.receiveSome(target);
            if (target.hasRemaining()) {
                return moved;
            }
            traffic.arrived(peer);
        }
        return moved;
    }

    /** Whether the peer's statement is there. */
    private boolean receiveStatement(Operation op, @Nullable ByteBuffer target, int peer, PeerLink link)
            throws BrokenLinkException {
        int values = target == null ? 0 : target.remaining();
        ByteBuffer frame = link.beginFrame(Operation.BYTES, values);
        if (frame == null) {
            return false;
        }
        mismatches.requireSame(op, link.rank(), frame);
        link.requireLeft(values);
        isAwaited[peer] = false;
        awaited--;
        return true;
    }

    /** With more ranks than processors the awaited one may need this one's. */
    @SuppressWarnings("ThreadPriorityCheck")
    private void pause() throws BrokenLinkException {
        if (idle <= looks) {
            for (int i = 0; i < SPINS; i++) {
                Thread.onSpinWait();
            }
        } else if (idle <= looks + YIELDS) {
            Thread.yield();
        } else {
            if (Thread.currentThread().isInterrupted()) {
                throw new BrokenLinkException(group.rank(group.place()), "interrupted");
            }
            int doublings = Math.min(idle - looks - YIELDS, 5);
            LockSupport.parkNanos(this, Math.min(FIRST_SLEEP_NANOS << doublings, LAST_SLEEP_NANOS));
        }
    }

    private void rest() throws BrokenLinkException {
        for (int peer = 0; peer < group.size(); peer++) {
            if (peer != group.place()) {
                group.link(peer).rest();
            }
        }
    }
}
