/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.membership;

import dev.elasticrun.rendezvous.codec.CommandCodec;
import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Guard;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.terms.RendezvousConfig;
import dev.elasticrun.rendezvous.terms.RunSpec;
import dev.elasticrun.rendezvous.view.Backoff;
import dev.elasticrun.rendezvous.view.RunStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Owns the node's place among the run's nodes: its lease, its key, and the run that the key belongs to. To join, it
 * probes the run and then makes one guarded write, which returns another probe when it is refused; after any failure it
 * starts over from the read. Owned by the loop.
 */
public final class Membership {
    // Between two checks whether the nodes of a run that has ended are gone.
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RendezvousConfig config;
    private final RunKeys keys;
    private final LeaseKeeper lease;
    private final Run run;
    private final Consumer<RendezvousEvent> events;
    private final RunLease runLease;
    private final Backoff retry = new Backoff();
    private NodeRecord record;
    private List<Long> provedDead = List.of();
    private long edition;
    private @Nullable RecordWriter writer;
    /** The newest record of this registration that was announced; the store may not have it yet. */
    private byte @Nullable [] announced;

    private @Nullable RunSpec spec;
    /** The success that was found before the node was ever registered; null = none was. */
    private @Nullable EarlierSuccess earlier;

    private EventLoop.@Nullable Timer attempt;
    private long startedNanos;
    private boolean startsOnce;
    /** When this node's key was found to be of another lease; counts only then. */
    private long takenNanos;

    private boolean idTaken;
    private boolean joined;
    private boolean revokedBefore;
    private boolean closed;

    /** The run, as its registration needs it; called in the loop. */
    public interface Run {
        /** Its spec, if this agent turns out to be the first. */
        RunSpec newSpec();

        /** What to read of it in the transaction that registers the node for the first time. */
        List<Operation.Get> firstReads();

        /**
         * The node is registered.
         *
         * @param read the answers to the reads of the registration, and what the coordinator's node key held if there was
         *     one; empty when they are not known
         */
        void onRegistered(RunSpec spec, long createRevision, List<KeyValues> read);
    }

    public Membership(
            RunStore runStore,
            RendezvousConfig config,
            NodeRecord record,
            LeaseKeeper lease,
            Run run,
            Consumer<RendezvousEvent> events) {
        this.store = runStore.store();
        this.loop = runStore.loop();
        this.keys = runStore.keys();
        this.config = config;
        this.record = record;
        this.lease = lease;
        this.run = run;
        this.events = events;
        this.startedNanos = loop.nowNanos();
        this.runLease = new RunLease(store, loop, config.store().timeout());
    }

    /** When this agent was started, on the loop's clock. */
    public void startedAt(long nanos) {
        startedNanos = nanos;
    }

    /** A run that has succeeded is not started again by this agent, whenever that was. */
    public void startsOnce() {
        startsOnce = true;
    }

    public void start() {
        grant();
    }

    private void grant() {
        lease.grant(this::join, this::lose);
    }

    public void close() {
        closed = true;
        lease.close();
        runLease.close();
        if (writer != null) {
            writer.close();
        }
    }

    public boolean revokedBefore() {
        return revokedBefore;
    }

    public boolean joined() {
        return joined;
    }

    /** What the store may not have yet of this node: its newest record since it was registered; empty = it was not changed. */
    public Optional<byte[]> announced() {
        return Optional.ofNullable(announced);
    }

    /** Publishes what has become of the node, unless it is the same as before. */
    public void update(NodeRecord changed) {
        if (!changed.equals(record)) {
            record = changed;
            publish();
        }
    }

    private void publish() {
        edition++;
        RunSpec known = spec;
        if (writer != null && known != null) {
            NodeRecord whole = complete();
            writer.write(whole);
            if (joined && !closed) {
                byte[] newest = RecordCodec.encode(whole.withLease(lease.leaseId()), known.incarnation());
                announced = newest;
                events.accept(new RendezvousEvent.RecordChanged(newest));
            }
        }
    }

    /** Publishes that the failure of this registration of another node is confirmed. */
    public void prove(long deadRevision) {
        if (!provedDead.contains(deadRevision)) {
            provedDead =
                    Stream.concat(provedDead.stream(), Stream.of(deadRevision)).toList();
            publish();
        }
    }

    /** Proofs that a round has heeded are not needed any more. */
    public void onRound(Round newest) {
        List<Long> needed = provedDead.stream()
                .filter(revision -> newest.participants().stream()
                        .anyMatch(participant -> participant.createRevision() == revision))
                .toList();
        if (needed.size() < provedDead.size()) {
            provedDead = needed;
            publish();
        }
    }

    private NodeRecord complete() {
        return record.published(new NodeRecord.Publication(0, provedDead, edition));
    }

    /**
     * The node's key is gone although the lease was not known to be: another agent confirmed this one's failure, or the
     * key was deleted.
     */
    public void onKeyGone() {
        if (joined) {
            lose();
        }
    }

    private void lose() {
        if (closed) {
            return;
        }
        joined = false;
        announced = null;
        revokedBefore |= loop.nowNanos() - lease.deadlineNanos() < 0;
        if (writer != null) {
            writer.detach();
        }
        events.accept(new RendezvousEvent.MembershipLost());
        grant();
    }

    private void join() {
        cancelAttempt();
        if (!closed) {
            join(RunProbe.at(store, keys, record.nodeId()));
        }
    }

    private void join(CompletableFuture<RunProbe> glance) {
        glance.whenComplete((all, error) -> loop.execute(() -> {
            if (closed || joined || lease.leaseId() == 0) {
                return;
            }
            if (error != null) {
                joinLater();
                return;
            }
            try {
                joinRun(all);
            } catch (CorruptRecordException e) {
                if (spec != null) {
                    throw e;
                }
                refuse(String.valueOf(e.getMessage()));
            }
        }));
    }

    private void joinRun(RunProbe all) {
        KeyValue storedSpec = all.spec();
        KeyValue ownKey = all.node(record.nodeId());
        boolean anyNode = all.anyNode();
        RunSpec known = spec;
        if (known != null) {
            rejoin(known, all);
            return;
        }
        KeyValue verdict = all.verdict();
        if (verdict != null && isBoundBy(verdict, all)) {
            return;
        }
        if ((verdict != null || storedSpec != null) && !anyNode) {
            clearRemains(storedSpec, verdict, all);
        } else if (isOfAnotherLease(ownKey)) {
            awaitId();
        } else if (storedSpec == null) {
            create(all);
        } else {
            RunSpec found = StoredRecord.spec(storedSpec);
            List<String> differences = found.differences(config, CommandCodec.target(all.target(), found));
            String reason = String.join("; ", differences);
            if (differences.size() == 1
                    && !found.terms().tls().equals(config.terms().tls())) {
                events.accept(
                        new RendezvousEvent.EncryptionDiffers(found.terms().tls(), reason));
            } else if (!differences.isEmpty()) {
                refuse(reason);
            } else if (ownKey != null) {
                onRegistered(found, ownKey.createRevision(), null, List.of());
            } else {
                register(found, new Guard.ModRevision(keys.spec(), storedSpec.modRevision()), all, false);
            }
        }
    }

    /** Whether an end that is already there keeps this agent from starting the run anew; what follows is on its way then. */
    private boolean isBoundBy(KeyValue verdict, RunProbe all) {
        Verdict decoded = StoredRecord.verdict(verdict);
        if (decoded.succeeded()) {
            return isBoundBySuccess(verdict, all.anyNode());
        }
        boolean binds = all.anyNode() || all.verdictBinds();
        if (binds) {
            events.accept(new RendezvousEvent.RunEnded(decoded));
        }
        return binds;
    }

    /** For good, as this agent came too late, or until the nodes of the old run have ended. */
    private boolean isBoundBySuccess(KeyValue verdict, boolean anyNode) {
        EarlierSuccess found = earlier;
        if (found == null || !found.isOf(verdict.modRevision())) {
            found = new EarlierSuccess(verdict.modRevision(), startedNanos);
            earlier = found;
        }
        long nowNanos = loop.nowNanos();
        String ended = "run " + config.runId() + " succeeded " + found.secondsAgo(nowNanos) + " s ago";
        switch (found.order(nowNanos)) {
            case OPEN -> measure(found, verdict.leaseId());
            case STARTED_FIRST ->
                events.accept(new RendezvousEvent.RunEnded(
                        Verdict.success(ended + ", before this node could join: nothing was started here")));
            case ENDED_FIRST -> {
                if (startsOnce) {
                    events.accept(new RendezvousEvent.RunEnded(
                            Verdict.success(ended + ", and is not started again: nothing was started here")));
                    return true;
                }
                if (!anyNode) {
                    return false;
                }
                if (found.isNews(nowNanos)) {
                    events.accept(new RendezvousEvent.Waiting(
                            ended + "; waiting for its last nodes to end before it is started again"));
                }
                joinAfter(LOOK_AGAIN);
            }
        }
        return true;
    }

    private void measure(EarlierSuccess found, long verdictLease) {
        long sentNanos = loop.nowNanos();
        store.leaseAge(verdictLease)
                .whenComplete((age, error) -> loop.execute(() -> {
                    if (error != null || age.isEmpty()) {
                        joinLater();
                    } else {
                        found.measured(sentNanos, loop.nowNanos(), age.get());
                        joinAfter(EarlierSuccess.PERIOD);
                    }
                }));
    }

    private void rejoin(RunSpec known, RunProbe all) {
        KeyValue storedSpec = all.spec();
        KeyValue ownKey = all.node(record.nodeId());
        if (storedSpec == null || !StoredRecord.spec(storedSpec).incarnation().equals(known.incarnation())) {
            events.accept(new RendezvousEvent.StoreLost(
                    "run " + config.runId() + " is not in " + config.store().name() + " any more"));
        } else if (isOfAnotherLease(ownKey)) {
            awaitId();
        } else if (ownKey != null) {
            onRegistered(known, ownKey.createRevision(), null, List.of());
        } else {
            register(known, new Guard.ModRevision(keys.spec(), storedSpec.modRevision()), all, false);
        }
    }

    private boolean isOfAnotherLease(@Nullable KeyValue ownKey) {
        return ownKey != null && ownKey.leaseId() != lease.leaseId();
    }

    // An earlier lease of ours ends in time. If that one does not, a live agent has this id: it is not pushed out.
    private void awaitId() {
        long nowNanos = loop.nowNanos();
        if (!idTaken) {
            idTaken = true;
            takenNanos = nowNanos;
        }
        if (nowNanos - takenNanos > config.lease().ttl().multipliedBy(2).toNanos()) {
            refuse("node id: " + record.nodeId() + " (expected: one that no other agent of run " + config.runId()
                    + " has)");
        } else {
            joinLater();
        }
    }

    /** A run of this id ended, or all its agents died: its keys make room for a new incarnation. */
    private void clearRemains(@Nullable KeyValue storedSpec, @Nullable KeyValue verdict, RunProbe all) {
        KeyValue admission = all.admission();
        List<Guard> guards = List.of(
                new Guard.ModRevision(keys.spec(), storedSpec == null ? 0 : storedSpec.modRevision()),
                new Guard.ModRevision(keys.verdict(), verdict == null ? 0 : verdict.modRevision()),
                new Guard.ModRevision(keys.admission(), admission == null ? 0 : admission.modRevision()));
        store.commit(new Transaction(guards, List.of(new Operation.Delete(keys.all())), List.of()))
                .whenComplete((result, error) -> loop.execute(() -> {
                    if (error == null && result.succeeded() && all.runLease() != 0) {
                        store.revokeLease(all.runLease());
                    }
                    joinLater();
                }));
    }

    private void create(RunProbe all) {
        long registering = lease.leaseId();
        runLease.grant()
                .whenComplete((granted, error) -> loop.execute(() -> {
                    if (closed || joined || registering != lease.leaseId()) {
                        return;
                    }
                    if (error != null) {
                        joinLater();
                    } else {
                        RunSpec created = run.newSpec().withLease(granted);
                        register(created, new Guard.CreateRevision(keys.spec(), 0), all, true);
                    }
                }));
    }

    // The probe found no key of ours: an attempt that arrives late must not overwrite the key of this one.
    private void register(RunSpec wanted, Guard guard, RunProbe all, boolean create) {
        Guard absent = new Guard.ModRevision(keys.node(record.nodeId()), 0);
        Operation node = new Operation.Put(
                keys.node(record.nodeId()),
                RecordCodec.encode(complete().withLease(lease.leaseId()), wanted.incarnation()),
                lease.leaseId());
        Operation admission =
                new Operation.Put(keys.admission(), record.nodeId().getBytes(StandardCharsets.UTF_8), wanted.lease());
        List<Operation> operations = new ArrayList<>(List.of(admission, node));
        if (create) {
            operations.add(new Operation.Put(keys.spec(), RecordCodec.encode(wanted), wanted.lease()));
        }
        if (spec == null) {
            operations.addAll(run.firstReads());
            all.coordinator()
                    .map(keys::node)
                    .map(KeyRange::key)
                    .map(Operation.Get::new)
                    .ifPresent(operations::add);
        }
        long registering = lease.leaseId();
        NodeRecord written = complete();
        List<Operation> glance = RunProbe.reads(keys, record.nodeId());
        store.commit(new Transaction(List.of(guard, absent), operations, glance))
                .whenComplete((result, error) -> loop.execute(() -> {
                    if (closed || registering != lease.leaseId()) {
                        return;
                    }
                    if (error != null) {
                        joinLater();
                    } else if (!result.succeeded()) {
                        // Another agent was first: the run is there now, or another one.
                        if (create && wanted.lease() != 0) {
                            store.revokeLease(wanted.lease());
                        }
                        join(RunProbe.of(store, keys, record.nodeId(), result.reads()));
                    } else {
                        onRegistered(wanted, result.revision(), written, result.reads());
                    }
                }));
    }

    /** @param written what the key holds; null when that is not known, because the answer to the write was lost */
    private void onRegistered(RunSpec found, long createRevision, @Nullable NodeRecord written, List<KeyValues> read) {
        spec = found;
        runLease.keep(found.lease());
        joined = true;
        idTaken = false;
        retry.reset();
        if (writer == null) {
            writer = new RecordWriter(store, loop, keys.node(record.nodeId()), found.incarnation(), this::onKeyGone);
        }
        lease.bind();
        run.onRegistered(found, createRevision, read);
        writer.attach(createRevision, lease.leaseId());
        if (!complete().equals(written)) {
            publish();
        }
    }

    private void refuse(String reason) {
        events.accept(new RendezvousEvent.Refused(reason));
    }

    private void joinLater() {
        joinAfter(retry.next());
    }

    /** In place of an attempt that is still to come: a lease that ended has begun another series of them. */
    private void joinAfter(Duration delay) {
        if (!closed) {
            cancelAttempt();
            attempt = loop.schedule(delay, this::join);
        }
    }

    private void cancelAttempt() {
        EventLoop.Timer pending = attempt;
        if (pending != null) {
            pending.cancel();
            attempt = null;
        }
    }
}
