/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.view.Backoff;
import dev.elasticrun.rendezvous.view.RangeView;
import dev.elasticrun.rendezvous.view.RunStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects the run's coordinator: watches the coordinator's key, stands for it whenever there is none, and keeps this
 * node's coordinator as long as the key is the node's. Owned by the loop.
 */
public final class Election {
    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    // Time for the watch to deliver the key's new holder.
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private static final Duration STEP = Duration.ofMillis(2);
    private static final int MAX_STEPS = 100;

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RunKeys keys;
    private final Supplier<Optional<Candidate>> candidate;
    private final Function<Fence, Coordinator> appoint;
    private final Consumer<? super RendezvousEvent.OfCoordination> events;
    private final RangeView key;
    private final Backoff retry = new Backoff();
    private @Nullable Coordinator coordinator;
    /** Create revision of the key of the coordinator that was reported; 0 = none. */
    private long known;
    /** How many nodes of the newest round come before this one. */
    private int place;

    private @Nullable KeyValue acquainted;
    private boolean standing;
    private boolean electing;
    private boolean closed;

    /**
     * This node, as it is now.
     *
     * @param createRevision of its key
     * @param leaseId of its key
     */
    public record Candidate(String nodeId, long createRevision, long leaseId) {}

    /**
     * @param candidate this node; empty while it has no place in the run, and when the run has ended
     * @param appoint makes this node's coordinator, to be started here
     */
    public Election(
            RunStore run,
            Supplier<Optional<Candidate>> candidate,
            Function<Fence, Coordinator> appoint,
            Consumer<? super RendezvousEvent.OfCoordination> events) {
        this.store = run.store();
        this.loop = run.loop();
        this.keys = run.keys();
        this.candidate = candidate;
        this.appoint = appoint;
        this.events = events;
        this.key = run.view(KeyRange.key(keys.coordinator()), this::look);
    }

    /** This node's, while it is the coordinator. */
    public Optional<Coordinator> coordinator() {
        return Optional.ofNullable(coordinator);
    }

    /** The view of the coordinator's key; its owner starts, checks and closes it. */
    public RangeView key() {
        return key;
    }

    /** A coordinator that is known before its key is seen: it need not be asked for. */
    public void acquaint(KeyValue coordinatorNode) {
        acquainted = coordinatorNode;
    }

    /** Coordinates no more, unless it is elected again. */
    public void stop() {
        if (coordinator != null) {
            coordinator.close();
            coordinator = null;
        }
    }

    public void close() {
        closed = true;
        stop();
    }

    /** The newest round gives how many come before this node when it stands. */
    public void place(Round newest, String nodeId) {
        place = newest.participant(nodeId)
                .map(own -> own.firstRank() / own.spec().slots())
                .orElse(newest.participants().size());
    }

    /** The coordinator found that the key is not its own any more. */
    public void onDeposed() {
        stop();
        known = 0;
        loop.schedule(LOOK_AGAIN, this::look);
    }

    /** Acts on the present holder of the key. */
    public void look() {
        Optional<Candidate> self = candidate.get();
        if (closed || self.isEmpty()) {
            return;
        }
        KeyValue held = key.entry(keys.coordinator());
        if (held == null) {
            known = 0;
            stop();
            stand();
        } else if (held.leaseId() == self.get().leaseId()) {
            // The answer to our own attempt is on its way, too, and brings more.
            if (!electing) {
                onElected(held.createRevision(), self.get(), List.of());
            }
        } else if (held.createRevision() != known) {
            known = held.createRevision();
            stop();
            KeyValue node = acquainted;
            acquainted = null;
            if (node != null && node.leaseId() == held.leaseId()) {
                report(node);
            } else {
                introduce(new String(held.value(), StandardCharsets.UTF_8), known);
            }
        }
    }

    /**
     * The key is ours; happens again as long as it is.
     *
     * @param read the answers to {@link RunKeys#ofElected} at the revision of the election; empty when they are not known
     */
    private void onElected(long createRevision, Candidate self, List<KeyValues> read) {
        known = createRevision;
        Fence fence = new Fence(createRevision, self.nodeId(), self.createRevision());
        if (coordinator != null && coordinator.isUnder(fence)) {
            return;
        }
        stop();
        Coordinator appointed = appoint.apply(fence);
        coordinator = appointed;
        LOG.debug("node={} is the coordinator; fence={}", self.nodeId(), createRevision);
        events.accept(new RendezvousEvent.Elected());
        appointed.start(read);
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
            if (key.entry(keys.coordinator()) == null && !closed) {
                candidate.get().ifPresent(this::elect);
            }
        });
    }

    private void elect(Candidate self) {
        if (electing) {
            return;
        }
        electing = true;
        List<Operation> operations = new ArrayList<>(List.of(
                new Operation.Put(keys.coordinator(), self.nodeId().getBytes(StandardCharsets.UTF_8), self.leaseId())));
        // An elected coordinator decides at once, often about a loss: a second request to the store would be on that
        // path.
        operations.addAll(keys.ofElected());
        store.commit(new Transaction(
                        List.of(
                                new Guard.CreateRevision(keys.coordinator(), 0),
                                new Guard.CreateRevision(keys.node(self.nodeId()), self.createRevision())),
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
                        // Another node has the key, or our registration ended: whether there is a coordinator shows
                        // then.
                        loop.schedule(LOOK_AGAIN, this::look);
                    } else if (!closed) {
                        candidate.get().ifPresent(now -> onElected(result.revision(), now, result.reads()));
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
                        report(found.entries().get(0));
                    }
                }));
    }

    private void report(KeyValue node) {
        events.accept(
                new RendezvousEvent.CoordinatorChanged(StoredRecord.node(node).record()));
    }
}
