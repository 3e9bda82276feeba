/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import java.util.Comparator;
import java.util.HashSet;
import java.util.Set;

/**
 * What waits for the clients of all streams of a server. Many that are slow, each within its bound, would fill the memory
 * together: then the one for which most waits is given up. Owned by the server's thread.
 */
final class WatchBacklog {
    /** As for one stream: half of an agent's heap. */
    static final long MAX_BYTES = WatchSession.MAX_WAITING_BYTES;

    private final Set<WatchSession> streams = new HashSet<>();
    private long bytes;

    void enter(WatchSession stream) {
        streams.add(stream);
    }

    void leave(WatchSession stream) {
        streams.remove(stream);
    }

    /** More waits, or less. */
    void grow(long by) {
        bytes += by;
    }

    long bytes() {
        return bytes;
    }

    /** Gives up streams until the rest is within the bound. */
    void keepBound() {
        while (bytes > MAX_BYTES) {
            streams.stream()
                    .max(Comparator.comparingLong(WatchSession::waitingBytes))
                    .orElseThrow()
                    .giveUp();
        }
    }
}
