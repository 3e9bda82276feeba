/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.internal.net;

import dev.elasticrun.worker.collective.BrokenLinkException;
import dev.elasticrun.worker.collective.CollectiveMismatchException;
import dev.elasticrun.worker.contract.Daemons;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends and receives the messages of ranks that cannot continue. For the user thread. */
final class AbortBroadcast {
    private final PeerMesh mesh;

    private interface Message {
        void send(PeerLink link) throws BrokenLinkException;
    }

    AbortBroadcast(PeerMesh mesh) {
        this.mesh = mesh;
    }

    /** Notifies all peers why this rank stops. */
    void abort(MismatchNotice notice) {
        send(link -> link.abort(notice), 1000);
    }

    /** Waits for a peer's notice of ranks that differ, within a time; drops whatever else it has sent before. */
    Optional<MismatchNotice> awaitNotice(int peer, long millis) {
        CompletableFuture<MismatchNotice> notice = new CompletableFuture<>();
        Daemons.start("peer-ask", () -> readNotice(peer, notice));
        try {
            return Optional.of(notice.get(millis, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        }
    }

    private void readNotice(int peer, CompletableFuture<MismatchNotice> notice) {
        try {
            while (!mesh.isClosed()) {
                mesh.link(peer).skip();
            }
        } catch (CollectiveMismatchException e) {
            notice.complete(RanksDifferException.noticeOf(e));
        } catch (BrokenLinkException e) {
            notice.completeExceptionally(e);
        }
    }

    /** Notifies all peers which rank this one has lost, before it closes its own links. */
    void reportLost(int lost) {
        send(link -> link.lost(lost), 20);
    }

    /** In a thread of its own: a peer that does not read must not hold us. */
    private void send(Message message, long millis) {
        Thread thread = Daemons.start("peer-notify", () -> sendAll(message));
        try {
            thread.join(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll(Message message) {
        for (int peer = 0; peer < mesh.size(); peer++) {
            try {
                if (peer != mesh.rank()) {
                    message.send(mesh.link(peer));
                }
            } catch (BrokenLinkException e) {
                // It is not connected, or will learn of its own broken link.
            }
        }
    }
}
