/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who coordinates: looks at the coordinator's key, and stands for it whenever there is none. Owned by the loop. */
final class Election {
    /** For the watch to tell who holds the key. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private static final Duration STEP = Duration.ofMillis(2);
    private static final int MAX_STEPS = 100;

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RunKeys keys;
    private final Candidate candidate;
    private final Listener listener;
    private final RangeView key;
    private final Backoff retry = new Backoff();
    /** Create revision of the key of the coordinator that the listener knows of; 0 = none. */
    private long known;
    /** How many nodes of the newest round come before this one. */
    private int place;

    private @Nullable KeyValue acquainted;
    private boolean standing;
    private boolean electing;
    private boolean closed;

    /** This node, as it is now. */
    interface Candidate {
        String nodeId();

        /** Whether it has a place in the run, and the run has not ended. */
        boolean eligible();

        long createRevision();

        long leaseId();
    }

    interface Listener {
        /**
         * The key is ours. Called again as long as it is.
         *
         * @param read the answers to {@link RunKeys#ofElected} at the revision of the election; empty when they are not
         *     known
         */
        void onElected(long fence, List<KeyValues> read);

        /** The key is not ours. */
        void onNotElected();

        /** Another agent coordinates now. */
        void onCoordinator(NodeRecord coordinator);
    }

    Election(RendezvousStore store, EventLoop loop, RunKeys keys, Candidate candidate, Listener listener) {
        this.store = store;
        this.loop = loop;
        this.keys = keys;
        this.candidate = candidate;
        this.listener = listener;
        this.key = new RangeView(store, loop, KeyRange.key(keys.coordinator()), this::look);
    }

    /** Who holds the coordinator's key; its owner starts, checks and closes it. */
    RangeView key() {
        return key;
    }

    /** A coordinator that is known before its key is seen: it need not be asked for. */
    void acquaint(KeyValue coordinatorNode) {
        acquainted = coordinatorNode;
    }

    void close() {
        closed = true;
    }

    /** @param before how many nodes of the newest round come before this one */
    void place(int before) {
        place = before;
    }

    /** The coordinator found that the key is not its own any more. */
    void deposed() {
        known = 0;
        loop.schedule(LOOK_AGAIN, this::look);
    }

    /** Acts on who holds the key now. */
    void look() {
        if (closed || !candidate.eligible()) {
            return;
        }
        KeyValue held = key.entry(keys.coordinator());
        if (held == null) {
            known = 0;
            listener.onNotElected();
            stand();
        } else if (held.leaseId() == candidate.leaseId()) {
            // The answer to our own attempt is on its way, too, and brings more.
            if (!electing) {
                elected(held.createRevision(), List.of());
            }
        } else if (held.createRevision() != known) {
            known = held.createRevision();
            listener.onNotElected();
            KeyValue node = acquainted;
            acquainted = null;
            if (node != null && node.leaseId() == held.leaseId()) {
                listener.onCoordinator(StoredRecord.node(node).record());
            } else {
                introduce(new String(held.value(), StandardCharsets.UTF_8), known);
            }
        }
    }

    private void elected(long fence, List<KeyValues> read) {
        known = fence;
        listener.onElected(fence, read);
    }

    /**
     * The first nodes of the round try at once and the others a little later each, so that all need not try: there is a
     * coordinator by then.
     */
    private void stand() {
        if (standing || electing) {
            return;
        }
        standing = true;
        loop.schedule(STEP.multipliedBy(Math.min(place, MAX_STEPS)), () -> {
            standing = false;
            if (key.entry(keys.coordinator()) == null && !closed && candidate.eligible()) {
                elect();
            }
        });
    }

    private void elect() {
        if (electing) {
            return;
        }
        electing = true;
        String nodeId = candidate.nodeId();
        List<Operation> operations = new ArrayList<>(List.of(
                new Operation.Put(keys.coordinator(), nodeId.getBytes(StandardCharsets.UTF_8), candidate.leaseId())));
        // Who is elected decides at once, often about a loss: another question to the store would be on that path.
        operations.addAll(keys.ofElected());
        store.commit(new Transaction(
                        List.of(
                                new Guard.CreateRevision(keys.coordinator(), 0),
                                new Guard.CreateRevision(keys.node(nodeId), candidate.createRevision())),
                        operations,
                        List.of()))
                .whenComplete((result, error) -> loop.execute(() -> {
                    electing = false;
                    if (error != null) {
                        loop.schedule(retry.next(), this::look);
                        return;
                    }
                    retry.reset();
                    if (!result.succeeded()) {
                        // For another's key or for our former life: whether there is a coordinator shows then.
                        loop.schedule(LOOK_AGAIN, this::look);
                    } else if (!closed && candidate.eligible()) {
                        elected(result.revision(), result.reads());
                    }
                }));
    }

    private void introduce(String coordinatorId, long revision) {
        store.range(KeyRange.key(keys.node(coordinatorId)))
                .whenComplete((found, error) -> loop.execute(() -> {
                    if (closed || revision != known) {
                        return;
                    }
                    if (error != null) {
                        loop.schedule(retry.next(), () -> introduce(coordinatorId, revision));
                        return;
                    }
                    retry.reset();
                    if (!found.entries().isEmpty()) {
                        listener.onCoordinator(
                                StoredRecord.node(found.entries().get(0)).record());
                    }
                }));
    }
}
