/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.coordinator;

import dev.elasticrun.rendezvous.codec.RecordCodec;
import dev.elasticrun.rendezvous.codec.RunKeys;
import dev.elasticrun.rendezvous.codec.StoredRecord;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Gathering;
import dev.elasticrun.rendezvous.plan.Observations;
import dev.elasticrun.rendezvous.plan.Plan;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.plan.Snapshot;
import dev.elasticrun.rendezvous.plan.Verdicts;
import dev.elasticrun.rendezvous.plan.WitnessedPlanner;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.RendezvousEvent;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.store.IndeterminateWriteException;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import dev.elasticrun.rendezvous.store.KeyValues;
import dev.elasticrun.rendezvous.store.RendezvousStore;
import dev.elasticrun.rendezvous.store.Transaction;
import dev.elasticrun.rendezvous.store.Transaction.Operation;
import dev.elasticrun.rendezvous.store.TransactionResult;
import dev.elasticrun.rendezvous.terms.RunSpec;
import dev.elasticrun.rendezvous.view.Backoff;
import dev.elasticrun.rendezvous.view.RangeChecks;
import dev.elasticrun.rendezvous.view.RangeView;
import dev.elasticrun.rendezvous.view.RunStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent that holds the coordinator key: feeds what it sees to the planner and applies what it decides, one write at
 * a time. After a write that failed or whose outcome is unknown, all is read again before anything else is decided. Owned
 * by the loop.
 */
public final class Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
    /** The store's limit for one request is 1.5 MiB. */
    private static final int MAX_ROUND_BYTES = 1 << 20;

    private final RendezvousStore store;
    private final EventLoop loop;
    private final RunKeys keys;
    private final RunSpec spec;
    private final WitnessedPlanner planner;
    private final Fence fence;
    private final Host host;
    private final CoordinatorWrites writes;
    private final CoordinatedRecords records;
    private final CoordinationReports reports;
    private final PlanTimers timers;
    private final RangeView nodes;
    private final PendingCommands commands;
    private final CompletedCheckpoint completed;
    private final RangeChecks checks;
    private final LiveNodes live;
    private final PushedRecords pushed = new PushedRecords();
    private final FailureLog failures = new FailureLog();
    private final DecisionTrail trail;
    private final Backoff retry = new Backoff();
    private final @Nullable NewcomerDials dials;
    private Gathering gathering;
    private Observations observations;

    // The checkpoint in the store, read if no node of the round is left that could report it; null = not read.
    private @Nullable RunVersion checkpoint;

    private boolean current;
    private boolean busy;
    private boolean closed;

    /** The agent that it runs in; called in the loop. */
    public interface Host {
        /**
         * Since when this agent has known the record of the round, on the loop's clock.
         *
         * @param revision at which it was written
         */
        long knownSinceNanos(long revision);

        /** Since when the store has answered without a gap, on the loop's clock. */
        long storeSinceNanos();

        /**
         * Null when newcomers are not to be dialled.
         *
         * @param onChange to be run in the loop when they know more
         */
        @Nullable
        NewcomerDials newcomerDials(Runnable onChange);

        /** What is decided is recorded there. */
        DecisionRecorder decisionRecorder();

        /** The coordinator's key belongs to another agent, or to none. */
        void onDeposed();
    }

    /** @param relist how often it is checked that what is watched is current */
    public Coordinator(
            RunStore run,
            RunSpec spec,
            WitnessedPlanner planner,
            Fence fence,
            Duration relist,
            Host host,
            Consumer<? super RendezvousEvent.OfCoordination> events) {
        this.store = run.store();
        this.loop = run.loop();
        this.keys = run.keys();
        this.spec = spec;
        this.planner = planner;
        this.fence = fence;
        this.writes = new CoordinatorWrites(store, keys, spec.incarnation(), spec.lease(), fence);
        this.records = new CoordinatedRecords(keys, spec, fence, loop.nowNanos());
        this.reports = new CoordinationReports(events, spec);
        this.timers = new PlanTimers(loop, this::replan);
        this.host = host;
        this.gathering = Gathering.nothing(loop.nowNanos());
        this.observations = Observations.begin(loop.nowNanos());
        this.dials = host.newcomerDials(this::replan);
        this.trail = new DecisionTrail(host.decisionRecorder());
        this.live = new LiveNodes(spec.incarnation(), pushed);
        this.nodes = run.view(KeyRange.prefix(keys.nodes()), this::replanSoon);
        this.commands = new PendingCommands(run, spec.incarnation(), this::replanSoon);
        this.completed = new CompletedCheckpoint(run, spec.terms().restarts().hasRefund(), this::replanSoon);
        this.checks = run.checks(
                relist,
                Stream.concat(Stream.of(nodes, commands.view()), completed.view().stream())
                        .toList());
    }

    /** Whether it coordinates by that same key. */
    boolean isUnder(Fence other) {
        return fence.coordinator() == other.coordinator();
    }

    /** @param read the answers to {@link RunKeys#ofElected} at the revision of the election; empty when they are not known */
    void start(List<KeyValues> read) {
        loop.assertInLoop();
        checks.start();
        completed.view().ifPresent(RangeView::start);
        if (read.isEmpty()) {
            nodes.start();
            commands.view().start();
            readBack();
            return;
        }
        int own = keys.ofCoordinator().size();
        nodes.start(read.get(own));
        commands.view().start(read.get(own + 1));
        onReadBack(read.subList(0, own).stream()
                .flatMap(found -> found.entries().stream())
                .toList());
    }

    void close() {
        loop.assertInLoop();
        closed = true;
        checks.close();
        nodes.close();
        commands.view().close();
        completed.view().ifPresent(RangeView::close);
        if (dials != null) {
            dials.close();
        }
        timers.cancel();
    }

    /** Live nodes as far as they are known here. */
    public List<Node> nodes() {
        return live.decode(nodes.entries().values());
    }

    /** A node's record that may not be in the store yet. */
    public void receive(String speaker, byte[] record) {
        try {
            if (RecordCodec.incarnationOfNode(record).equals(spec.incarnation())) {
                if (pushed.add(speaker, RecordCodec.decodeNode(record))) {
                    replanSoon();
                } else {
                    LOG.warn("node={} sent the record of another node", speaker);
                }
            }
        } catch (CorruptRecordException e) {
            LOG.warn("an agent sent something that is no record of a node: {}", e.getMessage());
        }
    }

    /** The round was written at this revision; the write may be one of ours whose outcome was not known. */
    public void onRoundWritten(long revision) {
        loop.assertInLoop();
        records.onRoundSeen(revision);
        replan();
    }

    private void readBack() {
        busy = true;
        current = false;
        checkpoint = null;
        store.commit(new Transaction(List.of(), keys.ofCoordinator(), List.of()))
                .whenComplete((result, error) -> loop.execute(() -> {
                    busy = false;
                    if (closed) {
                        return;
                    }
                    if (error != null) {
                        readBackLater();
                    } else {
                        onReadBack(result.entries());
                    }
                }));
    }

    private void onReadBack(List<KeyValue> all) {
        if (!records.read(all, host::knownSinceNanos)) {
            host.onDeposed();
            return;
        }
        current = true;
        replan();
    }

    private void replanSoon() {
        timers.soon(nodes.entries().size());
    }

    private void replan() {
        loop.assertInLoop();
        timers.cancelSoon();
        if (closed || busy || !current || !nodes.listed() || !commands.view().listed()) {
            return;
        }
        timers.cancelLater();
        if (records.isRoundOutdated()) {
            readBack();
            return;
        }
        List<Node> now;
        try {
            now = nodes();
        } catch (CorruptRecordException e) {
            // Every coordinator after us would see the same: the run ends on it once.
            end(Verdicts.unreadable(e), null);
            return;
        }
        failures.learn(now, loop.nowNanos());
        Round round = records.round();
        List<Node> counted = dials == null ? now : dials.ready(now, round);
        Snapshot snapshot = new Snapshot(spec, counted, round, records.verdict(), failures.list())
                .asked(records.target(), commands.pending(round));
        observations = observations
                .next(snapshot, host.storeSinceNanos(), loop.nowNanos())
                .of(new Observations.Written(records.roundKnownNanos(), completed.newest()));
        timers.onPlan();
        PlannerCall call = planner.plan(snapshot, gathering, observations, loop.nowNanos());
        trail.add(call);
        Plan plan = call.plan();
        gathering = plan.gathering();
        List<KeptOut> held = planner.keptOut(snapshot, gathering, observations, loop.nowNanos());
        reports.planned(plan, dials, held, loop.nowNanos());
        if (plan.decision() instanceof Decision.Wait wait) {
            long left = wait.untilNanos() == Long.MAX_VALUE
                    ? Long.MAX_VALUE
                    : Math.max(0, wait.untilNanos() - loop.nowNanos());
            timers.later(Duration.ofNanos(Math.min(left, WaitingNews.REMINDER.toNanos())), this::replan);
        } else if (plan.decision() instanceof Decision.Publish publish) {
            publishKnowing(publish.round(), plan.settled());
        } else if (plan.decision() instanceof Decision.End end) {
            end(end.verdict(), plan.settled());
        }
    }

    // Whether no node is left that could report what the run has completed.
    private boolean isAbandonedBy(Round next) {
        Round before = records.round();
        return before != null
                && !next.suspended()
                && next.participants().stream().noneMatch(place -> before.participant(place.nodeId())
                        .filter(old -> old.createRevision() == place.createRevision())
                        .isPresent());
    }

    private void publishKnowing(Round next, @Nullable CommandResult settled) {
        if (!isAbandonedBy(next)) {
            publish(next, settled);
        } else if (checkpoint == null) {
            learnCheckpoint();
        } else {
            publish(next.withCheckpoint(checkpoint.orNewer(next.checkpoint())), settled);
        }
    }

    /** Then all is planned anew: nodes may have gone meanwhile. */
    private void learnCheckpoint() {
        busy = true;
        store.range(KeyRange.key(keys.checkpoint()))
                .whenComplete((found, error) -> loop.execute(() -> {
                    busy = false;
                    if (closed) {
                        return;
                    }
                    if (error != null) {
                        readBackLater();
                        return;
                    }
                    checkpoint = found.entries().stream()
                            .map(StoredRecord::checkpoint)
                            .reduce(RunVersion.NONE, RunVersion::orNewer);
                    replan();
                }));
    }

    private void publish(Round next, @Nullable CommandResult settled) {
        byte[] bytes = RecordCodec.encode(next, spec.incarnation());
        if (bytes.length > MAX_ROUND_BYTES) {
            end(Verdicts.tooLarge(next, bytes.length, MAX_ROUND_BYTES), null);
            return;
        }
        busy = true;
        reports.decided(next, records.round());
        Operation.Get check = nodes.check();
        writes.round(next, bytes, records.roundNumber(), records.roundRevision(), settled, check)
                .whenComplete((result, error) -> loop.execute(() -> {
                    busy = false;
                    onPublished(next, settled, check, result, error);
                }));
    }

    private void onPublished(
            Round next,
            @Nullable CommandResult settled,
            Operation.Get asked,
            @Nullable TransactionResult result,
            @Nullable Throwable error) {
        if (closed) {
            return;
        }
        if (result == null || error != null) {
            if (error instanceof IndeterminateWriteException) {
                LOG.warn("round={} outcome of the write is unknown, reading back: {}", next.number(), error.toString());
            } else {
                LOG.debug("round={} was not written: {}", next.number(), String.valueOf(error));
            }
            readBackLater();
            return;
        }
        if (!result.succeeded()) {
            readBack();
            return;
        }
        retry.reset();
        checkpoint = null;
        Round before = records.round();
        records.written(next, result.revision(), loop.nowNanos());
        reports.written(next, before);
        settle(settled);
        nodes.checked(asked, result.reads().get(0));
        replan();
    }

    private void settle(@Nullable CommandResult settled) {
        if (settled != null) {
            settled.target().ifPresent(records::target);
            reports.settled(settled);
        }
    }

    private void end(Verdict decided, @Nullable CommandResult settled) {
        busy = true;
        writes.verdict(decided, othersExpected(decided), settled)
                .whenComplete((result, error) -> loop.execute(() -> {
                    busy = false;
                    if (closed) {
                        return;
                    }
                    if (result != null && error == null && result.succeeded()) {
                        records.written(decided);
                        settle(settled);
                        LOG.debug("verdict={} reason=\"{}\"", decided.word(), decided.reason());
                    } else {
                        readBackLater();
                    }
                }));
    }

    /** Whether nodes without which this run could not begin are probably still on their way. */
    private boolean othersExpected(Verdict decided) {
        boolean before = records.roundNumber() == 0;
        return !decided.succeeded()
                && before
                && decided.exitCode() != Verdicts.EXIT_STOPPED
                && nodes.entries().size() < records.target().minNodes();
    }

    /** Nothing is decided until then: what there is of the run may not be what the last plan was made from. */
    private void readBackLater() {
        current = false;
        timers.later(retry.next(), this::readBack);
    }
}
