/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.store.embedded;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.ResponseHeader;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All that the server holds. Owned by the server's one thread, which runs every service and timer. */
final class EtcdState {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdState.class);

    private static final int MAX_REVISIONS = 5_000;
    private static final long MAX_HISTORY_BYTES = 32L << 20;

    private final long clusterId;
    private final long memberId;
    private final BooleanSupplier inOwner;
    private final RevisionedMap map = new RevisionedMap(MAX_REVISIONS, MAX_HISTORY_BYTES);
    private final LeaseTable leases = new LeaseTable();
    private final Set<Consumer<List<Change>>> listeners = new LinkedHashSet<>();
    private long lastTickNanos;

    EtcdState(long clusterId, long memberId, long nowNanos, BooleanSupplier inOwner) {
        this.clusterId = clusterId;
        this.memberId = memberId;
        this.lastTickNanos = nowNanos;
        this.inOwner = inOwner;
    }

    RevisionedMap map() {
        assertInOwner();
        return map;
    }

    LeaseTable leases() {
        assertInOwner();
        return leases;
    }

    long memberId() {
        return memberId;
    }

    ResponseHeader header() {
        return header(map().revision());
    }

    ResponseHeader header(long revision) {
        return ResponseHeader.newBuilder()
                .setClusterId(clusterId)
                .setMemberId(memberId)
                .setRevision(revision)
                .setRaftTerm(1)
                .build();
    }

    void addListener(Consumer<List<Change>> listener) {
        assertInOwner();
        listeners.add(listener);
    }

    void removeListener(Consumer<List<Change>> listener) {
        assertInOwner();
        listeners.remove(listener);
    }

    /** Ends the running write: leases follow, watchers learn. */
    void commit() {
        List<Change> changes = map().commit();
        if (!changes.isEmpty()) {
            changes.forEach(leases::apply);
            // A listener that is too slow removes itself.
            new ArrayList<>(listeners).forEach(listener -> listener.accept(changes));
        }
    }

    /** Ends a lease; its keys go at one revision. */
    void revoke(LeaseTable.Lease lease) {
        for (ByteString key : lease.keys()) {
            map().delete(key, ByteString.EMPTY);
        }
        leases.remove(lease);
        commit();
    }

    /** Ends leases; to be called every {@code periodNanos}. */
    void tick(long nowNanos, long periodNanos) {
        long lateNanos = nowNanos - lastTickNanos - periodNanos;
        lastTickNanos = nowNanos;
        leases().forgive(lateNanos, nowNanos);
        for (LeaseTable.Lease lease : leases.ended(nowNanos)) {
            LOG.debug(
                    "lease {} ended, keys={}",
                    Long.toHexString(lease.id()),
                    lease.keys().size());
            revoke(lease);
        }
    }

    private void assertInOwner() {
        if (!inOwner.getAsBoolean()) {
            throw new IllegalStateException(
                    "not on the server's thread: " + Thread.currentThread().getName());
        }
    }
}
