/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent's part in agreeing on rounds: registers the node, keeps its lease, stands for coordinator whenever there is
 * none, and delivers rounds and the verdict.
 *
 * <p>All methods are called in the loop; the listener is called there too. Life: {@link #start}, {@link #update} any
 * number of times, {@link #leave}.
 */
public final class Rendezvous {
    private static final Logger LOG = LoggerFactory.getLogger(Rendezvous.class);
    private static final int RUN_KEY_BYTES = 32;

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RendezvousConfig config;
    private final RendezvousListener listener;
    private final String newIncarnation;
    private final SecureRandom random;
    private final RunKeys keys;
    private final String nodeId;
    private final StoreHealth health;
    private final Membership membership;
    private final RangeView documents;
    private final Coordination coordination;
    private final RangeView ownKey;
    /** All that this agent watches of the run. */
    private final List<RangeView> views;

    private final RangeChecks checks;
    private @Nullable RunSpec spec;
    private byte @Nullable [] runKey;
    private long createRevision;
    private long roundRevision;
    private boolean ended;
    private boolean storeLost;
    private boolean left;

    /** @param newIncarnation the run's incarnation if this agent turns out to be its first */
    public Rendezvous(
            RendezvousStore store,
            EventLoop loop,
            RendezvousConfig config,
            RestartPolicyStrategy strategy,
            NodeRecord record,
            String newIncarnation,
            SecureRandom random,
            RendezvousListener listener) {
        this.health = new StoreHealth(loop, config, new StoreEvents());
        this.store = new ObservedStore(store, loop, health);
        this.loop = loop;
        this.config = config;
        this.listener = listener;
        this.newIncarnation = newIncarnation;
        this.random = random;
        this.keys = RunKeys.of(config.runId());
        this.nodeId = record.nodeId();
        this.runKey = config.runKey();
        this.documents = new RangeView(this.store, loop, keys.afterNodes(), this::onDocuments);
        this.coordination = new Coordination(
                this.store, loop, keys, config, strategy, new Candidacy(), this::storeSinceNanos, listener);
        this.ownKey = new RangeView(this.store, loop, KeyRange.key(keys.node(nodeId)), this::onOwnKey);
        this.views = List.of(documents, coordination.coordinatorKey(), ownKey);
        this.checks = new RangeChecks(this.store, loop, spread(config.leaseTtl(), nodeId), views);
        List<Operation.Get> reads = views.stream().map(RangeView::whole).toList();
        this.membership =
                new Membership(this.store, loop, config, record, this::newSpec, reads, new MembershipEvents());
    }

    /**
     * Admits a node only after its workers' listeners were dialled from here, whenever this agent coordinates under a
     * policy whose workers listen before they are in a round. Called before {@link #start}; without it all are admitted.
     */
    public void dialNewcomersBy(WorkerDialer dialer) {
        loop.assertInLoop();
        coordination.dialNewcomersBy(dialer);
    }

    /**
     * When this agent was started, on the loop's clock: a run of this id that succeeded before that is started anew, and
     * one that succeeded later had no need of this node. Called before {@link #start}; without it, it is when this was
     * made.
     */
    public void startedAt(long nanos) {
        loop.assertInLoop();
        membership.startedAt(nanos);
    }

    /** Once a period, but not all nodes at the same time. */
    private static Duration spread(Duration period, String nodeId) {
        return period.multipliedBy(100 - Math.floorMod(nodeId.hashCode(), 25)).dividedBy(100);
    }

    /** Registers the node; {@link RendezvousListener#onJoined} or {@link RendezvousListener#onRefused} follows. */
    public void start() {
        loop.assertInLoop();
        membership.start();
    }

    /** Publishes what has become of the node; the newest record wins. */
    public void update(NodeRecord record) {
        loop.assertInLoop();
        membership.update(record);
    }

    /**
     * Word of a node, straight from its agent: the coordinator need not wait until the store has it.
     *
     * @param speaker the agent that told it, whose record it has to be
     * @param record as that agent was given it by {@link RendezvousListener#onRecordChanged}
     */
    public void hear(String speaker, byte[] record) {
        loop.assertInLoop();
        coordination.hear(speaker, record);
    }

    /**
     * A checkpoint was completed, or all of them were lost. The run remembers that, also when no node is left that knows
     * it; nothing more is told of whether it was written. To be called rarely.
     */
    public void checkpointed(RunVersion newest) {
        loop.assertInLoop();
        RunSpec known = spec;
        if (left || ended || known == null) {
            return;
        }
        byte[] text = newest.text().getBytes(StandardCharsets.US_ASCII);
        // With its node's key, so that nothing is written once the last node has cleaned up.
        store.commit(new Transaction(
                List.of(new Transaction.Guard.CreateRevision(keys.node(nodeId), createRevision)),
                List.of(new Transaction.Operation.Put(keys.checkpoint(), text, known.lease())),
                List.of()));
    }

    /**
     * Another agent's process is proved to be dead: ends its lease, so that everybody knows at once, and publishes the
     * proof, so that whoever coordinates next knows it too.
     *
     * @param deadRevision create revision of the agent's key when it was last seen
     * @param deadLease the lease that it was bound to
     */
    public void proveDead(String deadNodeId, long deadRevision, long deadLease, String evidence) {
        loop.assertInLoop();
        if (left || ended) {
            return;
        }
        LOG.info("node={} dead={} evidence=\"{}\"", nodeId, deadNodeId, evidence);
        store.revokeLease(deadLease);
        membership.prove(deadRevision);
    }

    /** The live nodes, if this agent is the coordinator and knows them. */
    public List<NodeRecord> nodes() {
        loop.assertInLoop();
        return coordination.nodes();
    }

    /** Create revision of the node's key, once it has one: this life of the node. */
    public long createRevision() {
        loop.assertInLoop();
        return createRevision;
    }

    /** The lease that the node's key is bound to; 0 while there is none. */
    public long leaseId() {
        loop.assertInLoop();
        return membership.leaseId();
    }

    /** Whether the node lost its key before although its lease was good: it was declared dead, and is not. */
    public boolean revokedBefore() {
        loop.assertInLoop();
        return membership.revokedBefore();
    }

    /**
     * Reads the whole run from the store. The future completes on a thread of the store, exceptionally when it does not
     * answer or when the run is not joined yet.
     */
    public CompletableFuture<RunDescription> describe() {
        loop.assertInLoop();
        RunSpec known = spec;
        if (known == null) {
            return CompletableFuture.failedFuture(
                    new IllegalStateException("cannot describe run " + config.runId() + " before it is joined"));
        }
        return store.commit(new Transaction(List.of(), keys.described(), List.of()))
                .thenApply(found -> RunDescription.of(config.runId(), known, found.entries()));
    }

    /**
     * Has the run's coordinator do what a person asked for. The future completes in the loop: with the number of the
     * command once it is in the store, whoever coordinates; the same request id twice is one command. Exceptionally when
     * the run is not joined or has ended, or the store does not take it.
     */
    public CompletableFuture<Long> ask(Command command) {
        loop.assertInLoop();
        RunSpec known = spec;
        return known == null || left
                ? CompletableFuture.failedFuture(
                        new IllegalStateException("run " + config.runId() + " is not joined (any more)"))
                : new CommandWrites(store, loop, keys, known.incarnation()).write(command);
    }

    /**
     * The command that was asked for by that request, with its number, as long as the store has it: also when it was
     * carried out meanwhile. The future completes in the loop; exceptionally when the run is not joined, or the store
     * does not answer.
     */
    public CompletableFuture<Optional<Command>> asked(String requestId) {
        loop.assertInLoop();
        RunSpec known = spec;
        return known == null
                ? CompletableFuture.failedFuture(new IllegalStateException("run " + config.runId() + " is not joined"))
                : new CommandWrites(store, loop, keys, known.incarnation()).find(requestId);
    }

    /**
     * Follows what becomes of a command, until that is closed.
     *
     * @param command with its number
     * @param onChange called in the loop
     */
    public CommandView follow(Command command, Runnable onChange) {
        loop.assertInLoop();
        CommandView view = new CommandView(store, loop, keys, spread(config.leaseTtl(), nodeId), command, onChange);
        view.start();
        return view;
    }

    /**
     * Gives up the node's place: peers know in milliseconds. The last one to leave removes the run's keys but the
     * verdict. The future completes in the loop, normally in any case.
     *
     * @param waitForOthers complete only when no node of the run is left: for the agent that serves the store
     */
    public CompletableFuture<Void> leave(boolean waitForOthers) {
        loop.assertInLoop();
        if (left) {
            return CompletableFuture.completedFuture(null);
        }
        left = true;
        coordination.close();
        long leaseId = membership.leaseId();
        membership.close();
        checks.close();
        views.forEach(RangeView::close);
        return storeLost
                ? CompletableFuture.completedFuture(null)
                : new Departure(store, loop, keys, nodeId).leave(leaseId, spec != null, waitForOthers);
    }

    /** The views begin with what the registration read; without that, each reads for itself. */
    private void watch(List<KeyValues> read) {
        for (int i = 0; i < views.size(); i++) {
            if (read.isEmpty()) {
                views.get(i).start();
            } else {
                views.get(i).start(read.get(i));
            }
        }
        if (read.size() > views.size()) {
            read.get(views.size()).entries().forEach(coordination::acquaint);
        }
        checks.start();
    }

    private long storeSinceNanos() {
        return membership.storeSinceNanos();
    }

    private RunSpec newSpec() {
        if (runKey == null) {
            runKey = new byte[RUN_KEY_BYTES];
            random.nextBytes(runKey);
        }
        return new RunSpec(
                newIncarnation,
                config.minNodes(),
                config.maxNodes(),
                config.policy(),
                config.runtime(),
                config.tls(),
                config.maxRestarts(),
                config.keyInStore() && config.runKey() == null ? runKey : new byte[0],
                KeyProof.of(runKey, config.runId(), newIncarnation, config.tls()),
                0);
    }

    private void onDocuments() {
        KeyValue verdict = documents.entry(keys.verdict());
        if (verdict != null) {
            deliverVerdict(StoredRecord.verdict(verdict));
            return;
        }
        KeyValue round = documents.entry(keys.round());
        if (!ended && round != null && round.modRevision() > roundRevision) {
            roundRevision = round.modRevision();
            Round newest = StoredRecord.round(round, nodeId);
            coordination.place(newest);
            membership.onRound(newest);
            listener.onRound(newest);
            coordination.onRoundWritten(round.modRevision());
        }
    }

    private void deliverVerdict(Verdict verdict) {
        if (!ended) {
            ended = true;
            coordination.stop();
            listener.onVerdict(verdict);
        }
    }

    private void onOwnKey() {
        KeyValue own = ownKey.entry(keys.node(nodeId));
        boolean upToDate = ownKey.revision() >= createRevision;
        if (membership.joined() && upToDate && (own == null || own.createRevision() > createRevision)) {
            membership.onKeyGone();
        }
    }

    private void loseStore(String reason) {
        storeLost = true;
        coordination.stop();
        listener.onStoreLost(reason);
    }

    private final class MembershipEvents implements Membership.Listener {
        @Override
        public void onJoined(RunSpec found, long revision, List<KeyValues> read) {
            boolean first = spec == null;
            spec = found;
            createRevision = revision;
            if (runKey == null || found.runKey().length > 0) {
                runKey = found.runKey();
            }
            byte[] key = runKey;
            if (key == null || key.length == 0) {
                listener.onRefused(
                        "run " + config.runId()
                                + " has a key that is not in the store (expected: --run-key-file, or an agent of this run on this host)");
                return;
            }
            health.joined();
            listener.onJoined(new RunIdentity(config.runId(), found.incarnation(), found.maxRestarts(), key), revision);
            if (first) {
                coordination.start(found);
                watch(read);
            } else {
                coordination.rejoined();
                roundRevision = 0;
                onDocuments();
            }
        }

        @Override
        public void onRecord(NodeRecord newest, String incarnation) {
            byte[] record = RecordCodec.encode(newest, incarnation);
            if (coordination.active()) {
                // Not at once: the caller is still about to act on what it has just published.
                loop.execute(() -> hear(nodeId, record));
            } else {
                listener.onRecordChanged(record);
            }
        }

        @Override
        public void onDeadline(long deadlineNanos) {
            listener.onLeaseDeadline(deadlineNanos);
        }

        @Override
        public void onFenced() {
            listener.onFenced();
        }

        @Override
        public void onRestored(boolean stalled) {
            listener.onRestored(stalled);
        }

        @Override
        public void onMembershipLost() {
            coordination.stop();
            listener.onMembershipLost();
        }

        @Override
        public void onVerdict(Verdict verdict) {
            deliverVerdict(verdict);
        }

        @Override
        public void onRefused(String reason) {
            listener.onRefused(reason);
        }

        @Override
        public boolean onOtherEncryption(String tls) {
            return listener.onOtherEncryption(tls);
        }

        @Override
        public void onStoreLost(String reason) {
            loseStore(reason);
        }

        @Override
        public void onWaiting(String reason) {
            listener.onWaiting(reason);
        }
    }

    private final class Candidacy implements Election.Candidate {
        @Override
        public String nodeId() {
            return nodeId;
        }

        @Override
        public boolean eligible() {
            return !left && !ended && spec != null && membership.joined();
        }

        @Override
        public long createRevision() {
            return createRevision;
        }

        @Override
        public long leaseId() {
            return membership.leaseId();
        }
    }

    private final class StoreEvents implements StoreHealth.Listener {
        @Override
        public void onUntrusted(String reason) {
            storeLost = true;
            listener.onRefused(reason);
        }

        @Override
        public void onUnreachable(String reason) {
            loseStore(reason);
        }

        @Override
        public void onStoreLost(String reason) {
            loseStore(reason);
        }

        @Override
        public void onStoreTrouble(String trouble) {
            listener.onStoreTrouble(trouble);
        }

        @Override
        public void onStoreWell(String trouble) {
            listener.onStoreWell(trouble);
        }
    }
}
