/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.view.RunStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The last that a node does in the store: it ends its lease, and the last node removes what the run left. */
public final class Departure {
    private static final Duration POLL = Duration.ofMillis(50);

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RunKeys keys;
    private final String nodeId;

    public Departure(RunStore run, String nodeId) {
        this.store = run.store();
        this.loop = run.loop();
        this.keys = run.keys();
        this.nodeId = nodeId;
    }

    /**
     * Completes in the loop, normally in any case.
     *
     * @param leaseId 0 = there is none
     * @param joined whether the node was ever part of the run
     * @param waitForOthers complete only when no node of the run is left
     */
    public CompletableFuture<Void> leave(long leaseId, boolean joined, boolean waitForOthers) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (leaseId == 0 && !joined) {
            done.complete(null);
            return done;
        }
        store.revokeLease(leaseId)
                .whenComplete((ok, error) -> loop.execute(() -> {
                    if (joined) {
                        removeRemains(waitForOthers, done);
                    } else {
                        done.complete(null);
                    }
                }));
        return done;
    }

    private void removeRemains(boolean waitForOthers, CompletableFuture<Void> done) {
        RunProbe.at(store, keys, nodeId)
                .whenComplete((run, error) -> loop.execute(() -> {
                    if (error != null) {
                        done.complete(null);
                    } else if (run.anyNode() && waitForOthers) {
                        loop.schedule(POLL, () -> removeRemains(true, done));
                    } else if (run.anyNode()) {
                        done.complete(null);
                    } else {
                        long runLease = run.runLease();
                        store.commit(new Transaction(
                                        List.of(
                                                new Guard.ModRevision(keys.spec(), modRevision(run.spec())),
                                                new Guard.ModRevision(keys.admission(), modRevision(run.admission()))),
                                        List.of(
                                                new Operation.Delete(keys.beforeNodes()),
                                                new Operation.Delete(new KeyRange(
                                                        keys.afterNodes().from(), keys.verdict()))),
                                        List.of()))
                                .thenCompose(removed -> removed.succeeded() && runLease != 0
                                        ? store.revokeLease(runLease)
                                        : CompletableFuture.completedFuture(null))
                                .whenComplete((ok, failure) -> loop.execute(() -> done.complete(null)));
                    }
                }));
    }

    private static long modRevision(@Nullable KeyValue entry) {
        return entry == null ? 0 : entry.modRevision();
    }
}
