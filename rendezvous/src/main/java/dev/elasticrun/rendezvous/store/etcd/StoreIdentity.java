/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.etcd;

import dev.elasticrun.rendezvous.store.StoreReplacedException;
import io.etcd.jetcd.api.ResponseHeader;
import org.jspecify.annotations.Nullable;

/**
 * Checks that all answers come from one and the same store, and from one that forgets nothing. Called by any thread.
 *
 * <p>A wiped etcd that starts with the same flags gets the same cluster id: then only its revision shows it. Answers of
 * reads and writes are linearizable, so none may be below what was known when its call was sent; renewals and watches
 * are served by one member alone, which may lag.
 */
final class StoreIdentity {
    private long clusterId;
    private long revision;
    private @Nullable String replaced;

    /** The highest revision in any answer; 0 = none yet. */
    synchronized long revision() {
        return revision;
    }

    /** Set for good once another store has answered. */
    synchronized @Nullable StoreReplacedException replaced() {
        return replaced == null ? null : new StoreReplacedException(replaced);
    }

    /** Checks an answer of a member that may lag. */
    void check(ResponseHeader header, String endpoint) {
        check(header, 0, endpoint);
    }

    /**
     * Checks an answer.
     *
     * @param least {@link #revision()} when the call was sent
     * @throws StoreReplacedException the answer, or an earlier one, is not of the store that answered first
     */
    synchronized void check(ResponseHeader header, long least, String endpoint) {
        if (replaced == null) {
            replaced = difference(header, least, endpoint);
        }
        if (replaced != null) {
            throw new StoreReplacedException(replaced);
        }
        clusterId = header.getClusterId();
        revision = Math.max(revision, header.getRevision());
    }

    private @Nullable String difference(ResponseHeader header, long least, String endpoint) {
        if (clusterId != 0 && header.getClusterId() != clusterId) {
            return "another store answers at " + endpoint + ": its cluster id is "
                    + Long.toHexString(header.getClusterId()) + " (expected: " + Long.toHexString(clusterId) + ")";
        }
        if (header.getRevision() < least) {
            return "the store at " + endpoint + " has lost data: it is at revision " + header.getRevision()
                    + " (expected: at least " + least
                    + "; was it wiped, or restored from an older snapshot?)";
        }
        return null;
    }
}
