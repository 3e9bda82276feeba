/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent's part in coordinating: it stands for coordinator whenever there is none, and is it while elected. Owned by
 * the loop.
 */
final class Coordination {
    private static final Logger LOG = LoggerFactory.getLogger(Coordination.class);

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RunKeys keys;
    private final RendezvousConfig config;
    private final RestartPolicyStrategy strategy;
    private final Election.Candidate candidate;
    private final LongSupplier storeSinceNanos;
    private final RendezvousListener listener;
    private final Election election;
    private @Nullable WorkerDialer workerDialer;
    private @Nullable RunSpec spec;
    private @Nullable Coordinator coordinator;

    /** @param storeSinceNanos since when the store has answered without a gap, on the loop's clock */
    Coordination(
            RendezvousStore store,
            EventLoop loop,
            RunKeys keys,
            RendezvousConfig config,
            RestartPolicyStrategy strategy,
            Election.Candidate candidate,
            LongSupplier storeSinceNanos,
            RendezvousListener listener) {
        this.store = store;
        this.loop = loop;
        this.keys = keys;
        this.config = config;
        this.strategy = strategy;
        this.candidate = candidate;
        this.storeSinceNanos = storeSinceNanos;
        this.listener = listener;
        this.election = new Election(store, loop, keys, candidate, new ElectionEvents());
    }

    void dialNewcomersBy(WorkerDialer dialer) {
        workerDialer = dialer;
    }

    /** Who coordinates is seen in this view, which its owner starts, checks and closes. */
    RangeView coordinatorKey() {
        return election.key();
    }

    /** See {@link Election#acquaint}. */
    void acquaint(KeyValue coordinatorNode) {
        election.acquaint(coordinatorNode);
    }

    /** The node has a place in this run. */
    void start(RunSpec joined) {
        spec = joined;
    }

    /** The node has a place again. */
    void rejoined() {
        election.look();
    }

    /** Coordinates no more, unless it is elected again. */
    void stop() {
        if (coordinator != null) {
            coordinator.close();
            coordinator = null;
        }
    }

    void close() {
        stop();
        election.close();
    }

    /** Whether this agent is the coordinator. */
    boolean active() {
        return coordinator != null;
    }

    /** See {@link Rendezvous#hear}. */
    void hear(String speaker, byte[] record) {
        if (coordinator != null) {
            coordinator.hear(speaker, record);
        }
    }

    /** See {@link Rendezvous#nodes}. */
    List<NodeRecord> nodes() {
        return coordinator == null
                ? List.of()
                : coordinator.nodes().stream().map(Node::record).toList();
    }

    /** The newest round tells how many come before this node in an election. */
    void place(Round newest) {
        election.place(newest.participant(candidate.nodeId())
                .map(own -> own.firstRank() / own.slots())
                .orElse(newest.participants().size()));
    }

    /** See {@link Coordinator#onRoundWritten}. */
    void onRoundWritten(long revision) {
        if (coordinator != null) {
            coordinator.onRoundWritten(revision);
        }
    }

    private void coordinate(long fence, List<KeyValues> read) {
        RunSpec known = spec;
        if (known == null || (coordinator != null && coordinator.fence() == fence)) {
            return;
        }
        stop();
        Planner planner = new Planner(PlannerConfig.of(config), strategy);
        coordinator = new Coordinator(
                store,
                loop,
                keys,
                known,
                planner,
                new Fence(fence, candidate.nodeId(), candidate.createRevision()),
                config.leaseTtl(),
                storeSinceNanos,
                this::newcomerDials,
                new CoordinatorEvents());
        LOG.info("node={} is the coordinator; fence={}", candidate.nodeId(), fence);
        listener.onElected();
        coordinator.start(read);
    }

    private @Nullable NewcomerDials newcomerDials(Runnable onChange) {
        WorkerDialer dialer = workerDialer;
        return dialer == null || !strategy.workersOutliveRounds()
                ? null
                : new NewcomerDials(loop, dialer, candidate.nodeId(), onChange);
    }

    private final class ElectionEvents implements Election.Listener {
        @Override
        public void onElected(long fence, List<KeyValues> read) {
            coordinate(fence, read);
        }

        @Override
        public void onNotElected() {
            stop();
        }

        @Override
        public void onCoordinator(NodeRecord elected) {
            listener.onCoordinator(elected);
        }
    }

    private final class CoordinatorEvents implements Coordinator.Listener {
        @Override
        public void onWaiting(String reason) {
            listener.onWaiting(reason);
        }

        @Override
        public void onKeptOut(List<KeptOut> nodes) {
            listener.onKeptOut(nodes);
        }

        @Override
        public void onDecided(Round decided, @Nullable Round previous) {
            listener.onDecided(decided, previous);
        }

        @Override
        public void onPublished(Round published) {
            listener.onPublished(published);
        }

        @Override
        public void onSettled(CommandResult command) {
            listener.onSettled(command);
        }

        @Override
        public void onDeposed() {
            stop();
            election.deposed();
        }
    }
}
