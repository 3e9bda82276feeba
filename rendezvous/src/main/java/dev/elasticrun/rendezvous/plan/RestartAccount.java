/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunVersion;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.time.Duration;
import java.util.List;

/**
 * What becomes of the restart budget between rounds: uses grow older, restarts come back, and nodes whose workers fail to
 * start are given one. Each of the last two is recorded: the newest round is written again, with the same members. Pure.
 */
final class RestartAccount {
    private RestartAccount() {}

    /** The newest round with what is used of the budget by now. */
    static Round upToDate(Snapshot snapshot, Round round, Observations seen, long nowNanos) {
        RestartBudget budget = snapshot.spec().terms().restarts();
        if (round.used().equals(UsedRestarts.NONE)) {
            return round;
        }
        RunVersion newest = snapshot.nodes().stream()
                .map(node -> node.record().checkpoint().run())
                .reduce(seen.written().checkpoint(), RunVersion::orNewer);
        boolean progressed = budget.hasRefund() && !round.suspended() && newest.isProgressOver(round.checkpoint());
        Round moved = round.withUsed(budget.later(round.used(), age(seen, nowNanos), progressed));
        return progressed ? moved.withCheckpoint(newest) : moved;
    }

    private static long age(Observations seen, long nowNanos) {
        return Math.max(
                0, Duration.ofNanos(nowNanos - seen.written().sinceNanos()).toMillis());
    }

    /**
     * Adds to a plan that waits, or does nothing, what is due of the budget.
     *
     * @param stored the newest round as it is in the store
     */
    static Plan settle(Plan plan, PlanInput now, Round stored) {
        if (plan.decision() instanceof Decision.Publish || plan.decision() instanceof Decision.End) {
            return plan;
        }
        int returned = now.round().used().returned() - stored.used().returned();
        if (returned > 0) {
            return publish(
                    now.round(), plan, returned + (returned == 1 ? " restart comes" : " restarts come") + " back");
        }
        List<Node> asking = now.snapshot().nodes().stream()
                .filter(node -> isAsking(node, now.round()))
                .toList();
        return asking.isEmpty() ? waitForRefund(plan, now, stored) : answer(asking.get(0), plan, now);
    }

    private static boolean isAsking(Node node, Round round) {
        return node.phase() == NodePhase.BACKING_OFF
                && !round.sendsAway(node.nodeId())
                && !mayStart(node, round)
                && round.participant(node.nodeId()).filter(node::isOlderThan).isEmpty();
    }

    /**
     * Whether the node backs off, and starts its workers again when that is over. A record that is older than the order is
     * one that another coordinator has received a newer one of.
     */
    static boolean mayStart(Node node, Round round) {
        return node.phase() == NodePhase.BACKING_OFF
                && round.order(node.nodeId())
                        .filter(order -> order.kind() == Order.Kind.START)
                        .filter(order -> order.generation() >= node.record().generation())
                        .isPresent();
    }

    private static Plan answer(Node node, Plan plan, PlanInput now) {
        Round round = now.round();
        if (now.budgetLeft() > 0) {
            UsedRestarts used = now.snapshot().spec().terms().restarts().charged(round.used(), 1);
            return publish(
                    round.ordering(node, Order.Kind.START).withUsed(used),
                    plan,
                    node.nodeId() + " may start its workers again");
        }
        boolean isLast = now.snapshot().usable().isEmpty()
                && now.snapshot().nodes().stream().noneMatch(other -> mayStart(other, round));
        return isLast
                ? now.end(Verdicts.nobodyMayStart(now.snapshot()))
                : publish(
                        round.ordering(node, Order.Kind.LEAVE),
                        plan,
                        node.nodeId() + " cannot start its workers, and no restart is left");
    }

    private static Plan publish(Round round, Plan plan, String reason) {
        return new Plan(new Decision.Publish(round), plan.gathering(), reason);
    }

    // Without progress so far the time may be over before there is any: what reports it is looked at then.
    private static Plan waitForRefund(Plan plan, PlanInput now, Round stored) {
        RestartBudget budget = now.snapshot().spec().terms().restarts();
        long millis = budget.untilRefundMillis(stored.used());
        if (stored.suspended() || millis == Long.MAX_VALUE) {
            return plan;
        }
        long due = now.seen().written().sinceNanos() + Duration.ofMillis(millis).toNanos();
        long until = plan.decision() instanceof Decision.Wait wait ? wait.untilNanos() : Long.MAX_VALUE;
        boolean isSooner = due - now.nowNanos() > 0 && (until == Long.MAX_VALUE || due - until < 0);
        return isSooner
                ? new Plan(new Decision.Wait(due), plan.gathering(), plan.reason(), plan.times(), plan.settled())
                : plan;
    }
}
