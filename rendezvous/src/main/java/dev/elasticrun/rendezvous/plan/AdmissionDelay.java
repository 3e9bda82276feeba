/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.FailureHistory;
import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodeComparison;
import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node that could join, and why it is kept waiting.
 *
 * @param waivable whether it is admitted all the same when the run could not continue without it
 */
record AdmissionDelay(Node node, long untilNanos, boolean waivable, String why) {
    /** How long a node has to stay in rounds until what it did before is forgotten. */
    static final Duration FORGET = Duration.ofSeconds(60);

    private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
    private static final int MAX_DOUBLINGS = 30;
    // Only an attempt shows whether a link was repaired, and it costs all the others a round.
    private static final Duration LONGEST_FOR_LINKS = Duration.ofHours(1);

    /** What keeps this node waiting, or kept it: the time may have passed. */
    static Optional<AdmissionDelay> on(
            Node node, Troubles troubles, Observations seen, Snapshot snapshot, PlannerConfig config) {
        Optional<FailureHistory.Trouble> known = troubles.of(node);
        boolean asks = node.excluded(snapshot.round());
        if (asks || known.filter(trouble -> !trouble.excluded().isEmpty()).isPresent()) {
            String reason = asks
                    ? node.record().reports().excluded()
                    : known.map(FailureHistory.Trouble::excluded).orElse("");
            Long since = seen.excludedSince().get(node.nodeId());
            return Optional.of(until(node, since, config.rounds().excludeCoolDown(), false, "excluded: " + reason));
        }
        return known.flatMap(trouble -> after(node, trouble, seen, snapshot, config));
    }

    private static Optional<AdmissionDelay> after(
            Node node, FailureHistory.Trouble trouble, Observations seen, Snapshot snapshot, PlannerConfig config) {
        Long since = seen.waitingSince().get(node.nodeId());
        if (!trouble.brokenLinkTo().isEmpty() && !startsOver(node, snapshot.round())) {
            boolean otherEnd =
                    snapshot.node(trouble.brokenLinkTo()).filter(Node::usable).isPresent();
            String why = "its link to " + trouble.brokenLinkTo() + " is broken";
            return otherEnd
                    ? Optional.of(until(node, since, delay(trouble.strikes(), LONGEST_FOR_LINKS), false, why))
                    : Optional.empty();
        }
        if (config.rounds().rejoinBackOff().isZero()) {
            return Optional.empty();
        }
        Round round = Objects.requireNonNull(snapshot.round());
        int strikes = NodeComparison.strikes(round, trouble);
        if (NodeComparison.isFailing(round, trouble)) {
            String why = follower(node, trouble, "whose workers", "its workers") + " failed " + trouble.failures()
                    + " times in a row";
            Duration coolDown = delay(Math.max(2, strikes), config.rounds().excludeCoolDown());
            return Optional.of(until(node, since, coolDown, true, why));
        }
        Duration delay = delay(strikes, config.rounds().rejoinBackOff());
        return delay.isZero()
                ? Optional.empty()
                : Optional.of(until(
                        node,
                        since,
                        delay,
                        true,
                        (follower(node, trouble, "which", "") + " left " + trouble.strikes() + " rounds in a row")
                                .strip()));
    }

    // The node that the failures are of: the node itself, or one on its host that is gone.
    private static String follower(Node node, FailureHistory.Trouble trouble, String other, String itself) {
        return trouble.nodeId().equals(node.nodeId())
                ? itself
                : "follows " + trouble.nodeId() + " on its host, " + other;
    }

    /** If the whole round is started over, it was a member a moment ago and its link was good enough. */
    private static boolean startsOver(Node node, @Nullable Round round) {
        return round != null && round.startsOver(node.nodeId());
    }

    KeptOut keptOut() {
        return new KeptOut(node.nodeId(), why, untilNanos);
    }

    boolean over(long nowNanos) {
        return untilNanos != Long.MAX_VALUE && nowNanos - untilNanos >= 0;
    }

    /** At once for the first time, then doubling. */
    static Duration delay(int strikes, Duration longest) {
        if (strikes < 2) {
            return Duration.ZERO;
        }
        Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(strikes - 2, MAX_DOUBLINGS));
        return delay.compareTo(longest) < 0 ? delay : longest;
    }

    /** Whether a node of the round has stayed in rounds for so long that it is as good as any other. */
    static boolean isForgotten(String nodeId, FailureHistory.Trouble trouble, Observations seen, long nowNanos) {
        Long working = seen.workingSince().get(nodeId);
        return working != null
                && trouble.excluded().isEmpty()
                && nowNanos - working >= forgetAfter(trouble).toNanos();
    }

    private static Duration forgetAfter(FailureHistory.Trouble trouble) {
        Duration delay = trouble.brokenLinkTo().isEmpty() ? FORGET : delay(trouble.strikes(), LONGEST_FOR_LINKS);
        return delay.compareTo(FORGET) > 0 ? delay : FORGET;
    }

    private static AdmissionDelay until(Node node, @Nullable Long since, Duration wait, boolean waivable, String why) {
        return new AdmissionDelay(node, since == null ? Long.MAX_VALUE : since + wait.toNanos(), waivable, why);
    }
}
