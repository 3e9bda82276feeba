/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.coordinator.Coordinator;
import dev.elasticrun.rendezvous.coordinator.DecisionRecorder;
import dev.elasticrun.rendezvous.coordinator.Election;
import dev.elasticrun.rendezvous.coordinator.Fence;
import dev.elasticrun.rendezvous.coordinator.LossRehearsal;
import dev.elasticrun.rendezvous.coordinator.NewcomerDials;
import dev.elasticrun.rendezvous.coordinator.WorkerDialer;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.membership.CommandView;
import dev.elasticrun.rendezvous.membership.CommandWrites;
import dev.elasticrun.rendezvous.membership.Departure;
import dev.elasticrun.rendezvous.membership.HandedResults;
import dev.elasticrun.rendezvous.membership.LeaseKeeper;
import dev.elasticrun.rendezvous.membership.Membership;
import dev.elasticrun.rendezvous.plan.PlannerConfig;
import dev.elasticrun.rendezvous.plan.WitnessedPlanner;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.HandedResult;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.restart.RestartPolicyStrategy;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RunSpec;
import dev.elasticrun.rendezvous.view.ObservedStore;
import dev.elasticrun.rendezvous.view.RangeChecks;
import dev.elasticrun.rendezvous.view.RangeView;
import dev.elasticrun.rendezvous.view.RunStore;
import dev.elasticrun.rendezvous.view.StoreHealth;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One agent's part in agreeing on rounds: registers the node, keeps its lease, stands for coordinator whenever there is
 * none, and reports as {@link RendezvousEvent}s what becomes of all that.
 *
 * <p>All methods are called in the loop; events are delivered there too. Life: {@link #start}, {@link #update} any number
 * of times, {@link #leave}.
 */
public final class Rendezvous {
    private static final Logger LOG = LoggerFactory.getLogger(Rendezvous.class);

    private final RunStore run;
    private final RendezvousStore store;
    private final EventLoop loop;
    private final RunKeys keys;
    private final RendezvousConfig config;
    private final RestartPolicyStrategy strategy;
    private final Consumer<RendezvousEvent> events;
    private final RunFounder founder;
    private final String nodeId;
    private final StoreHealth health;
    private final LeaseKeeper lease;
    private final Membership membership;
    private final Election election;
    private final RangeView documents;
    private final RangeView ownKey;
    private final List<RangeView> views;

    private final RangeChecks checks;
    private @Nullable WorkerDialer workerDialer;
    private DecisionRecorder decisions = DecisionRecorder.NONE;
    private @Nullable RunSpec spec;
    private byte @Nullable [] runKey;
    private long createRevision;
    private long roundRevision;
    private long knownRevision;
    private long knownNanos;
    private boolean ended;
    private boolean storeLost;
    private boolean left;

    /** @param events receives what happens, in the loop */
    public Rendezvous(
            RendezvousStore store,
            EventLoop loop,
            RendezvousConfig config,
            RestartPolicyStrategy strategy,
            NodeRecord record,
            RunFounder founder,
            Consumer<RendezvousEvent> events) {
        this.health = new StoreHealth(loop, config.store(), config.lease().ttl(), this::on);
        this.store = new ObservedStore(store, loop, health);
        this.loop = loop;
        this.keys = RunKeys.of(config.runId());
        this.run = new RunStore(this.store, loop, keys);
        this.config = config;
        this.strategy = strategy;
        this.events = events;
        this.founder = founder;
        this.nodeId = record.nodeId();
        this.runKey = config.runKey().given();
        this.lease = new LeaseKeeper(this.store, loop, config.lease(), events);
        this.membership = new Membership(run, config, record, lease, new Registration(), this::on);
        this.election = new Election(run, this::candidate, this::appoint, events);
        this.documents = run.view(keys.afterNodes(), this::onDocuments);
        this.ownKey = run.view(KeyRange.key(keys.node(nodeId)), this::onOwnKey);
        this.views = List.of(documents, election.key(), ownKey);
        this.checks = run.checks(spread(config.lease().ttl(), nodeId), views);
    }

    /**
     * Admits a node only after its workers' listeners were dialled from here, whenever this agent coordinates under a
     * policy whose workers listen before they are in a round. Called before {@link #start}; without it all are admitted.
     */
    public void dialNewcomersBy(WorkerDialer dialer) {
        loop.assertInLoop();
        workerDialer = dialer;
    }

    /**
     * What to play once on another thread, so that this agent decides the sooner if it is elected when another one is lost.
     * Empty before the run is joined, in a run of one node, and while this agent coordinates: it has decided then.
     *
     * @param model a node as this one, with its workers
     */
    public Optional<LossRehearsal> rehearsal(NodeRecord model) {
        loop.assertInLoop();
        RunSpec joined = spec;
        boolean isAlone = joined != null && joined.terms().nodes().maxNodes() == 1;
        return joined == null || isAlone || election.coordinator().isPresent()
                ? Optional.empty()
                : Optional.of(new LossRehearsal(plannerConfig(), joined, strategy, model));
    }

    private PlannerConfig plannerConfig() {
        return new PlannerConfig(config.lease(), config.rounds());
    }

    /** Records what this agent decides whenever it coordinates. Called before {@link #start}; without it, nothing is. */
    public void recordDecisionsBy(DecisionRecorder recorder) {
        loop.assertInLoop();
        decisions = recorder;
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

    /**
     * A run of this id that has succeeded is not started again by this agent, as long as the store has its end. Called
     * before {@link #start}.
     */
    public void startsOnce() {
        loop.assertInLoop();
        membership.startsOnce();
    }

    /** Once a period, but not all nodes at the same time. */
    private static Duration spread(Duration period, String nodeId) {
        return period.multipliedBy(100 - Math.floorMod(nodeId.hashCode(), 25)).dividedBy(100);
    }

    /** Registers the node; {@link RendezvousEvent.Joined}, or why it cannot join, follows. */
    public void start() {
        loop.assertInLoop();
        membership.start();
    }

    /** Publishes what has become of the node, unless the record is the same as before; the newest one wins. */
    public void update(NodeRecord record) {
        loop.assertInLoop();
        membership.update(record);
    }

    /**
     * The record of a node, straight from its agent: the coordinator need not wait until the store has it.
     *
     * @param sender the agent that sent it, whose record it has to be
     * @param record as that agent got it by {@link RendezvousEvent.RecordChanged}
     */
    public void receive(String sender, byte[] record) {
        loop.assertInLoop();
        election.coordinator().ifPresent(coordinator -> coordinator.receive(sender, record));
    }

    /**
     * Records that a checkpoint was completed, or that all of them were lost. The run keeps that, also when no node is
     * left that knows it. The outcome of the write is not reported. To be called rarely.
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
     * Stores what the worker in a slot of this node handed over, as long as the node is registered: false when it is not, or
     * not any more. The future completes on a thread of the store.
     */
    public CompletableFuture<Boolean> handOver(int slot, HandedResult result) {
        loop.assertInLoop();
        RunSpec known = spec;
        return known == null || left || !membership.joined()
                ? CompletableFuture.completedFuture(false)
                : new HandedResults(run)
                        .write(nodeId, createRevision, slot, result, known.incarnation(), known.lease());
    }

    /**
     * What the workers of the newest round handed over, by rank; to be read before this node leaves. The future completes on a
     * thread of the store.
     */
    public CompletableFuture<SortedMap<Integer, HandedResult>> results() {
        loop.assertInLoop();
        return spec == null || left
                ? CompletableFuture.completedFuture(new TreeMap<>())
                : new HandedResults(run).read();
    }

    /**
     * The failure of another agent's process is confirmed: revokes its lease, so that all nodes are notified at once,
     * and publishes the evidence, so that the next coordinator has it, too.
     *
     * @param deadRevision create revision of the agent's key when it was last seen
     * @param deadLease the lease that it was bound to
     */
    public void proveDead(String deadNodeId, long deadRevision, long deadLease, String evidence) {
        loop.assertInLoop();
        if (left || ended) {
            return;
        }
        LOG.debug("node={} dead={} evidence=\"{}\"", nodeId, deadNodeId, evidence);
        store.revokeLease(deadLease);
        membership.prove(deadRevision);
    }

    /** The live nodes, if this agent is the coordinator and knows them. */
    public List<NodeRecord> nodes() {
        loop.assertInLoop();
        return election.coordinator().stream()
                .flatMap(coordinator -> coordinator.nodes().stream())
                .map(Node::record)
                .toList();
    }

    // Zero before the first.
    private Duration roundKnownFor() {
        return knownRevision == 0 ? Duration.ZERO : Duration.ofNanos(loop.nowNanos() - knownNanos);
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
        RunDescription.Known round = new RunDescription.Known(knownRevision, roundKnownFor());
        return store.commit(new Transaction(List.of(), keys.described(), List.of()))
                .thenApply(found -> RunDescription.of(config.runId(), known, found.entries(), round));
    }

    /**
     * Has the run's coordinator carry out the command of a user. The future completes in the loop: with the number of
     * the command once it is in the store, regardless of which node coordinates; the same request id twice is one
     * command. Exceptionally when the run is not joined or has ended, or the store does not take it.
     */
    public CompletableFuture<Long> ask(Command command) {
        loop.assertInLoop();
        RunSpec known = spec;
        return known == null || left
                ? CompletableFuture.failedFuture(
                        new IllegalStateException("run " + config.runId() + " is not joined (any more)"))
                : new CommandWrites(run, known.incarnation()).write(command);
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
                : new CommandWrites(run, known.incarnation()).find(requestId);
    }

    /**
     * Follows what becomes of a command, until that is closed.
     *
     * @param command with its number
     * @param onChange called in the loop
     */
    public CommandView follow(Command command, Runnable onChange) {
        loop.assertInLoop();
        CommandView view = new CommandView(run, spread(config.lease().ttl(), nodeId), command, onChange);
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
        election.close();
        long leaseId = lease.leaseId();
        membership.close();
        checks.close();
        views.forEach(RangeView::close);
        return storeLost
                ? CompletableFuture.completedFuture(null)
                : new Departure(run, nodeId).leave(leaseId, spec != null, waitForOthers);
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
            read.get(views.size()).entries().forEach(election::acquaint);
        }
        checks.start();
    }

    /** What becomes of the store, the place and the run; this node's coordinator ends with them, before others act on it. */
    private void on(RendezvousEvent event) {
        if (event instanceof RendezvousEvent.RecordChanged changed
                && election.coordinator().isPresent()) {
            // Not at once: the caller is still about to act on what it has just published.
            loop.execute(() -> receive(nodeId, changed.record()));
            return;
        }
        boolean isEnd = event instanceof RendezvousEvent.RunEnded;
        boolean isLoss = event instanceof RendezvousEvent.StoreLost;
        if (isEnd && ended) {
            return;
        }
        ended |= isEnd;
        storeLost |= isLoss || event instanceof RendezvousEvent.StoreUntrusted;
        if (isEnd || isLoss || event instanceof RendezvousEvent.MembershipLost) {
            election.stop();
        }
        events.accept(event);
    }

    private Optional<Election.Candidate> candidate() {
        return left || ended || spec == null || !membership.joined()
                ? Optional.empty()
                : Optional.of(new Election.Candidate(nodeId, createRevision, lease.leaseId()));
    }

    private Coordinator appoint(Fence fence) {
        Coordinator appointed = new Coordinator(
                run,
                Objects.requireNonNull(spec, "spec"),
                new WitnessedPlanner(plannerConfig(), strategy),
                fence,
                config.lease().ttl(),
                new CoordinatorHost(),
                events);
        // The store may not have it yet, and no agent sends it: what it states must not be decided against.
        membership.announced().ifPresent(record -> appointed.receive(nodeId, record));
        return appointed;
    }

    private void onDocuments() {
        KeyValue verdict = documents.entry(keys.verdict());
        if (verdict != null) {
            on(new RendezvousEvent.RunEnded(StoredRecord.verdict(verdict)));
            return;
        }
        KeyValue round = documents.entry(keys.round());
        if (!ended && round != null && round.modRevision() > roundRevision) {
            roundRevision = round.modRevision();
            if (knownRevision != roundRevision) {
                knownRevision = roundRevision;
                knownNanos = loop.nowNanos();
            }
            Round newest = StoredRecord.round(round, nodeId);
            election.place(newest, nodeId);
            membership.onRound(newest);
            events.accept(new RendezvousEvent.RoundChanged(newest));
            election.coordinator().ifPresent(coordinator -> coordinator.onRoundWritten(round.modRevision()));
        }
    }

    private void onOwnKey() {
        KeyValue own = ownKey.entry(keys.node(nodeId));
        boolean upToDate = ownKey.revision() >= createRevision;
        if (membership.joined() && upToDate && (own == null || own.createRevision() > createRevision)) {
            membership.onKeyGone();
        }
    }

    private final class CoordinatorHost implements Coordinator.Host {
        @Override
        public long storeSinceNanos() {
            return lease.storeSinceNanos();
        }

        @Override
        public long knownSinceNanos(long revision) {
            return revision == knownRevision ? knownNanos : loop.nowNanos();
        }

        @Override
        public @Nullable NewcomerDials newcomerDials(Runnable onChange) {
            WorkerDialer dialer = workerDialer;
            return dialer == null || !strategy.workersOutliveRounds()
                    ? null
                    : new NewcomerDials(loop, dialer, nodeId, onChange);
        }

        @Override
        public DecisionRecorder decisionRecorder() {
            return decisions;
        }

        @Override
        public void onDeposed() {
            election.onDeposed();
        }
    }

    /** What a registration needs of this run, and what follows from it. */
    private final class Registration implements Membership.Run {
        @Override
        public RunSpec newSpec() {
            if (runKey == null) {
                runKey = founder.mintKey();
            }
            return founder.spec(config, runKey);
        }

        @Override
        public List<Operation.Get> firstReads() {
            return views.stream().map(RangeView::whole).toList();
        }

        @Override
        public void onRegistered(RunSpec found, long revision, List<KeyValues> read) {
            boolean first = spec == null;
            spec = found;
            createRevision = revision;
            if (runKey == null || found.runKey().length > 0) {
                runKey = found.runKey();
            }
            byte[] key = runKey;
            if (key == null || key.length == 0) {
                events.accept(new RendezvousEvent.Refused("run " + config.runId()
                        + " has a key that is not in the store (expected: --run-key-file, or an agent"
                        + " of this run on this host)"));
                return;
            }
            health.joined();
            events.accept(new RendezvousEvent.Joined(
                    new RunIdentity(
                            config.runId(), found.incarnation(), found.terms().restarts(), key),
                    revision,
                    lease.leaseId(),
                    membership.revokedBefore()));
            if (first) {
                watch(read);
            } else {
                election.look();
                roundRevision = 0;
                onDocuments();
            }
        }
    }
}
