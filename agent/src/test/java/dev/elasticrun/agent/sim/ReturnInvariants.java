/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.codec.StoredRecords;
import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.Gathering;
import dev.elasticrun.rendezvous.plan.Plan;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeComparison;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.sim.SimulatedStoreClient.Origin;
import dev.elasticrun.rendezvous.store.KeyRange;
import dev.elasticrun.rendezvous.store.KeyValue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What workers ask for, and who is kept out for how long: a run that a worker ends forms no round any more, a node that
 * a worker excluded stays out for the cool-down, and one whose link is broken comes back less and less often.
 */
final class ReturnInvariants {
    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 20;
    private static final Duration LONGEST_DELAY = Duration.ofHours(1);

    private final SimulatedCluster cluster;
    private final KeyRange nodes;
    /** Node records that ask for the end of the run, by key. */
    private final Map<String, KeyValue> stopping = new HashMap<>();
    /** Node records that ask to be left out, by node. */
    private final Map<String, Wish> excluded = new HashMap<>();
    /** Since when a node is out of the round, by node: since its registration ended, or a round was written without it. */
    private final Map<String, Long> outSince = new HashMap<>();

    /** When a worker reported it, and the newest record of its node that has it. */
    private static final class Wish {
        private final long reportedNanos;
        private @Nullable KeyValue written;
        private @Nullable NodeRecord record;
        private boolean stated;

        private Wish(long reportedNanos) {
            this.reportedNanos = reportedNanos;
        }

        private void state(KeyValue entry, NodeRecord with) {
            written = entry;
            record = with;
            stated = true;
        }

        private void forgetRecord() {
            written = null;
            record = null;
        }
    }

    ReturnInvariants(SimulatedCluster cluster) {
        this.cluster = cluster;
        this.nodes = KeyRange.prefix(cluster.prefix() + "nodes/");
    }

    void onIncarnation() {
        stopping.clear();
        // An agent brings the request along, and a repetition of it is no new one.
        excluded.values().forEach(Wish::forgetRecord);
        outSince.clear();
    }

    /** A worker of this node wants it out of the run. */
    void onExclude(String nodeId) {
        excluded.putIfAbsent(nodeId, new Wish(cluster.time.nowNanos()));
    }

    void onRecord(KeyValue entry) {
        NodeRecord record = StoredRecords.node(entry.value());
        if (record.reports().stopRun() != null) {
            stopping.put(entry.key(), entry);
        }
        Wish wish = excluded.get(record.nodeId());
        if (wish != null && !record.reports().excluded().isEmpty()) {
            wish.state(entry, record);
        } else if (wish != null && wish.stated) {
            excluded.remove(record.nodeId());
        }
    }

    void onDeleted(String key) {
        stopping.remove(key);
        if (key.startsWith(nodes.from())) {
            outSince.putIfAbsent(key.substring(nodes.from().length()), cluster.time.nowNanos());
        }
    }

    /** Whether a live node asks for the end of the run. */
    boolean stopAsked() {
        return !stopping.isEmpty();
    }

    private boolean knewOfStop(Origin writer) {
        return stopping.values().stream().anyMatch(entry -> writer.knew(nodes, entry.modRevision()));
    }

    void onVerdict(Verdict verdict, Origin writer) {
        require(
                !knewOfStop(writer) || verdict.reason().contains("stopped by a worker"),
                "a worker ended the run, but the verdict is " + verdict);
    }

    /** @param previous null: there was none in this incarnation */
    void onRound(Round round, @Nullable Round previous, Origin writer) {
        require(!knewOfStop(writer), "a round although the coordinator knew that a worker ended the run");
        if (previous != null && !round.suspended()) {
            round.participants().forEach(place -> checkReturn(round, previous, place, writer));
        }
        if (previous != null) {
            previous.participants().stream()
                    .filter(place -> round.participant(place.nodeId()).isEmpty())
                    .forEach(place -> outSince.putIfAbsent(place.nodeId(), cluster.time.nowNanos()));
        }
        round.participants().forEach(place -> outSince.remove(place.nodeId()));
    }

    private void checkReturn(Round round, Round previous, Participant place, Origin writer) {
        String nodeId = place.nodeId();
        boolean returns = previous.participant(nodeId).isEmpty();
        Wish wish = excluded.get(nodeId);
        NodeRecord record = wish == null ? null : wish.record;
        if (wish != null
                && wish.written != null
                && record != null
                && writer.knew(nodes, wish.written.modRevision())
                // Until it has acted on a round that it was put into, its wish is about one before.
                && (returns || record.rounds().acknowledged() >= previous.number())) {
            require(
                    cluster.time.nowNanos() - wish.reportedNanos
                            >= cluster.config.rounds().excludeCoolDown().toNanos(),
                    nodeId + " is in a round before the cool-down of its exclusion is over");
        }
        Optional<FailureHistory.Trouble> trouble = trouble(previous, nodeId);
        Long since = outSince.get(nodeId);
        if (returns && trouble.isPresent() && since != null) {
            Duration least = leastWait(trouble.get(), round, previous, writer);
            require(
                    cluster.time.nowNanos() - since >= least.toNanos(),
                    nodeId + " is back too soon (expected: after " + least.toMillis() + " ms) with " + trouble.get());
        }
    }

    /**
     * Nodes that are kept out for what they did before are never so many that the run waits for want of them, and never
     * more than go on: what all did, or most, is not the fault of each.
     */
    static void onDecided(PlannerCall call, boolean elasticWorkers) {
        PlannerCall.Given given = call.given();
        Round round = given.round();
        if (round == null || round.history().troubles().isEmpty()) {
            return;
        }
        long done = given.nodes().stream()
                .filter(node -> node.phase() == NodePhase.DONE)
                .count();
        if (waitsForNodes(call.plan()) && !keepsOutInAnyCase(given.nodes(), round)) {
            long kept = keptByComparison(given.nodes(), round, elasticWorkers);
            require(
                    kept == 0 || kept + done < given.target().minNodes(),
                    "the run waits for nodes, and keeps " + kept + " out that would do");
        } else if (call.plan().decision() instanceof Decision.Publish publish
                && !publish.round().suspended()
                && publish.round().number() > round.number()) {
            Round next = publish.round();
            long working = next.participants().size() + done;
            long kept = keptByComparison(
                    given.nodes().stream()
                            .filter(node -> next.participant(node.nodeId()).isEmpty())
                            .toList(),
                    round,
                    elasticWorkers);
            require(
                    working >= mostNodes(call) || working >= kept,
                    kept + " nodes are kept out, and " + working + " go on");
        }
    }

    // A command that the plan consumes can lower it.
    private static int mostNodes(PlannerCall call) {
        return Optional.ofNullable(call.plan().settled())
                .flatMap(CommandResult::target)
                .orElse(call.given().target())
                .maxNodes();
    }

    // Without an end it waits for a master endpoint.
    private static boolean waitsForNodes(Plan plan) {
        return plan.decision() instanceof Decision.Wait wait
                && wait.untilNanos() != Long.MAX_VALUE
                && plan.gathering().kind() == Gathering.Kind.BELOW_MINIMUM;
    }

    /** Whether a wait may have the end of another one: that of a node which a worker or a broken link keeps out. */
    private static boolean keepsOutInAnyCase(List<Node> nodes, Round round) {
        return nodes.stream().anyMatch(node -> node.excluded(round))
                || round.history().troubles().stream()
                        .anyMatch(trouble -> !trouble.excluded().isEmpty()
                                || !trouble.brokenLinkTo().isEmpty());
    }

    /** Of these nodes those that could join, and that neither a worker nor a broken link keeps out, but a failure history. */
    private static long keptByComparison(List<Node> nodes, Round round, boolean elasticWorkers) {
        return nodes.stream()
                .filter(node -> node.phase() == NodePhase.READY || node.phase() == NodePhase.STANDBY)
                .filter(node -> !node.isIn(round))
                .filter(node ->
                        !round.sendsAway(node.nodeId()) && !round.awaitsFreshWorkersOf(node.record(), elasticWorkers))
                .filter(node -> !node.excluded(round))
                .filter(node -> trouble(round, node.nodeId())
                        .filter(trouble -> trouble.excluded().isEmpty()
                                && trouble.brokenLinkTo().isEmpty())
                        .isPresent())
                .count();
    }

    private static Optional<FailureHistory.Trouble> trouble(Round round, String nodeId) {
        return round.history().troubles().stream()
                .filter(trouble -> trouble.nodeId().equals(nodeId))
                .findFirst();
    }

    private Duration leastWait(FailureHistory.Trouble trouble, Round round, Round previous, Origin writer) {
        if (!trouble.excluded().isEmpty()) {
            // Counted from the wish, which is checked.
            return Duration.ZERO;
        }
        if (previous.suspended()
                && previous.participants().isEmpty()
                && previous.order(trouble.nodeId()).isPresent()) {
            // The whole round was started over.
            return Duration.ZERO;
        }
        if (!trouble.brokenLinkTo().isEmpty()) {
            return knownAsUsable(trouble.brokenLinkTo(), writer) ? delay(trouble.strikes()) : Duration.ZERO;
        }
        Duration longest = cluster.config.rounds().rejoinBackOff();
        if (longest.isZero() || needed(round, previous)) {
            return Duration.ZERO;
        }
        int strikes = NodeComparison.strikes(previous, trouble);
        if (NodeComparison.isFailing(previous, trouble)) {
            return shorter(delay(Math.max(2, strikes)), cluster.config.rounds().excludeCoolDown());
        }
        return shorter(delay(strikes), longest);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Whether the run may have had to take back whoever was there. */
    private boolean needed(Round round, Round previous) {
        long sure = round.participants().stream()
                .filter(place -> previous.participant(place.nodeId()).isPresent()
                        || trouble(previous, place.nodeId()).isEmpty())
                .count();
        long usable = cluster.store.names().stream()
                .filter(name -> name.startsWith(nodes.from()))
                .count();
        return previous.suspended() || sure < cluster.minNodes() || 2 * sure < usable;
    }

    private boolean knownAsUsable(String nodeId, Origin writer) {
        KeyValue key = cluster.store.get(nodes.from() + nodeId);
        if (key == null || !writer.knew(nodes, key.modRevision())) {
            return false;
        }
        NodePhase phase = StoredRecords.node(key.value()).phase();
        return phase != NodePhase.DRAINING && phase != NodePhase.DONE && phase != NodePhase.BROKEN;
    }

    /** At once after the first strike, then after 1 s, 2 s, 4 s and so on, at most an hour. */
    static Duration delay(int strikes) {
        if (strikes < 2) {
            return Duration.ZERO;
        }
        Duration doubled = FIRST_DELAY.multipliedBy(1L << Math.min(strikes - 2, MAX_DOUBLINGS));
        return doubled.compareTo(LONGEST_DELAY) < 0 ? doubled : LONGEST_DELAY;
    }
}
