/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.collective;

import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends to all peers and receives from all at once, and waits in none of the links: whatever the order in which they are
 * ready, nobody waits in a circle. When nothing moves it looks again at once, if there is a processor for each rank, then
 * lets others run, then sleeps for longer and longer. User thread only.
 */
final class Pump {
    private static final int LOOKS = 200;
    /** Between two looks: who looks all the time holds up the peer, whose system call delivers what it sends. */
    private static final int SPINS = 50;

    private static final int YIELDS = 200;
    /** About a second: who is done hangs up, too, but not long before the others are done. */
    private static final int SLEEPS_BEFORE_DOUBT = 2000;

    private static final long FIRST_SLEEP_NANOS = 20_000;
    private static final long LAST_SLEEP_NANOS = 500_000;

    private final PeerMesh mesh;
    private final int looks;
    private int idle;

    /** What is to be sent and received. Peers are asked for in turns; a frame is begun when the last one is complete. */
    interface Traffic {
        /** Starts the next frame to that peer; false = there is none, or none yet. */
        boolean start(int peer, PeerLink link) throws BrokenLinkException;

        /** Where the next frame of that peer goes; null = none is expected now. The same until it has arrived. */
        @Nullable
        ByteBuffer target(int peer);

        /** The target is full. */
        void arrived(int peer);

        /** Whether no frame will be started or expected any more. */
        boolean isDone();
    }

    Pump(PeerMesh mesh) {
        this.mesh = mesh;
        this.looks = mesh.size() <= Runtime.getRuntime().availableProcessors() ? LOOKS : 0;
    }

    /** Returns when all is sent and received. */
    void run(Traffic traffic) throws BrokenLinkException {
        try {
            keepPolling(true);
            idle = 0;
            while (!turn(traffic)) {
                if (idle > 0) {
                    pause();
                }
            }
        } finally {
            stopPolling();
        }
    }

    /** Returns when the next frame of every peer is there: none is waited for alone, so that the loss of any is seen. */
    void awaitFrames() throws BrokenLinkException {
        try {
            keepPolling(true);
            for (idle = 1; !haveFrames(); idle++) {
                pause();
            }
        } finally {
            stopPolling();
        }
    }

    private boolean haveFrames() throws BrokenLinkException {
        boolean haveAll = true;
        for (int peer = 0; peer < mesh.size(); peer++) {
            if (peer != mesh.rank()) {
                haveAll &= mesh.link(peer).hasFrame();
                if (idle > looks + YIELDS + SLEEPS_BEFORE_DOUBT) {
                    mesh.link(peer).requireConnected();
                }
            }
        }
        return haveAll;
    }

    /** One look at each link. Returns whether that was all; counts turns in which nothing moved. */
    private boolean turn(Traffic traffic) throws BrokenLinkException {
        int moved = 0;
        boolean isSent = true;
        for (int i = 1; i < mesh.size(); i++) {
            int peer = (mesh.rank() + i) % mesh.size();
            PeerLink link = mesh.link(peer);
            moved += send(traffic, peer, link);
            isSent &= !link.isSending();
            moved += receive(traffic, peer, link);
        }
        idle = moved > 0 ? 0 : idle + 1;
        return isSent && traffic.isDone();
    }

    private static int send(Traffic traffic, int peer, PeerLink link) throws BrokenLinkException {
        int moved = 0;
        while (link.isSending() || traffic.start(peer, link)) {
            int sent = link.sendSome();
            moved += sent;
            if (link.isSending()) {
                return moved;
            }
        }
        return moved;
    }

    private static int receive(Traffic traffic, int peer, PeerLink link) throws BrokenLinkException {
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
                throw new BrokenLinkException(mesh.rank(), "interrupted");
            }
            int doublings = Math.min(idle - looks - YIELDS, 5);
            LockSupport.parkNanos(this, Math.min(FIRST_SLEEP_NANOS << doublings, LAST_SLEEP_NANOS));
        }
    }

    private void keepPolling(boolean isPolled) throws BrokenLinkException {
        for (int peer = 0; peer < mesh.size(); peer++) {
            if (peer != mesh.rank()) {
                mesh.link(peer).keepPolling(isPolled);
            }
        }
    }

    private void stopPolling() {
        for (int peer = 0; peer < mesh.size(); peer++) {
            try {
                if (peer != mesh.rank()) {
                    mesh.link(peer).keepPolling(false);
                }
            } catch (BrokenLinkException e) {
                // It is closed, as whoever uses it next will see.
            }
        }
    }
}
