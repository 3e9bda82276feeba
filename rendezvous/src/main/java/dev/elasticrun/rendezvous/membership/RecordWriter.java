/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.view.Backoff;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the node's own record: one write at a time, and the newest record wins. A write whose outcome is unknown may
 * still arrive, so that every write is guarded by the revision that it replaces. Owned by the loop.
 */
final class RecordWriter {
    private final RendezvousStore store;
    private final EventLoop loop;
    private final String key;
    private final String incarnation;
    private final Runnable onGone;
    private final Backoff retry = new Backoff();
    private final FailureAges ages = new FailureAges();
    private long createRevision;
    private long modRevision;
    private long leaseId;
    private @Nullable NodeRecord next;
    private boolean writing;
    private boolean closed;

    /** @param onGone called when the key is not there any more, or belongs to another registration */
    RecordWriter(RendezvousStore store, EventLoop loop, String key, String incarnation, Runnable onGone) {
        this.store = store;
        this.loop = loop;
        this.key = key;
        this.incarnation = incarnation;
        this.onGone = onGone;
    }

    /** From now on the key is ours with this create revision, bound to this lease. */
    void attach(long revision, long lease) {
        loop.assertInLoop();
        createRevision = revision;
        modRevision = revision;
        leaseId = lease;
        writeNext();
    }

    /** Keeps records back until the next {@link #attach}. */
    void detach() {
        createRevision = 0;
    }

    void write(NodeRecord record) {
        loop.assertInLoop();
        ages.note(record, loop.nowNanos());
        next = record;
        writeNext();
    }

    void close() {
        closed = true;
    }

    private void writeNext() {
        NodeRecord record = next;
        if (closed || writing || record == null || createRevision == 0) {
            return;
        }
        next = null;
        writing = true;
        long expected = createRevision;
        // A failure may have waited here for the answer to an earlier write.
        NodeRecord stored = ages.aged(record.withLease(leaseId), loop.nowNanos());
        store.commit(new Transaction(
                        List.of(
                                new Transaction.Guard.CreateRevision(key, expected),
                                new Transaction.Guard.ModRevision(key, modRevision)),
                        List.of(new Transaction.Operation.Put(key, RecordCodec.encode(stored, incarnation), leaseId)),
                        List.of(new Transaction.Operation.Get(KeyRange.key(key)))))
                .whenComplete((result, error) -> loop.execute(() -> {
                    if (error != null) {
                        next = next == null ? record : next;
                        loop.schedule(retry.next(), () -> {
                            writing = false;
                            writeNext();
                        });
                        return;
                    }
                    writing = false;
                    retry.reset();
                    // Another registration may have created the key meanwhile: then the record is simply written to it.
                    if (createRevision == expected) {
                        onAnswer(result);
                    }
                    if (!result.succeeded()) {
                        next = next == null ? record : next;
                    }
                    writeNext();
                }));
    }

    private void onAnswer(TransactionResult result) {
        if (result.succeeded()) {
            modRevision = result.revision();
            return;
        }
        KeyValue found = result.reads().get(0).entries().stream().findFirst().orElse(null);
        if (found != null && found.createRevision() == createRevision) {
            // A write of ours whose answer was lost.
            modRevision = found.modRevision();
        } else if (!closed) {
            detach();
            onGone.run();
        }
    }
}
