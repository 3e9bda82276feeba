/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import dev.elasticrun.rendezvous.terms.UsedRestarts;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** No more restarts are used than the run has, within any window by the time of the writes, and none is refused early. */
final class BudgetInvariants {
    private final SimulatedCluster cluster;
    /** When restarts were charged, oldest first. */
    private final Deque<Long> charges = new ArrayDeque<>();
    /** Starts after a back-off that were charged. */
    private final Set<Order> starts = new HashSet<>();

    BudgetInvariants(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    void onIncarnation() {
        charges.clear();
        starts.clear();
    }

    void onRound(Round round, @Nullable Round previous, int failures) {
        RestartBudget budget = cluster.config.terms().restarts();
        UsedRestarts before = previous == null ? UsedRestarts.NONE : previous.used();
        UsedRestarts used = round.used();
        int charged = used.total() - before.total();
        int returned = used.returned() - before.returned();
        require(charged >= 0 && returned >= 0, "the budget was given back");
        require(used.counted() <= budget.max(), "the budget was exceeded");
        require(
                budget.hasWindow() || used.counted() == used.total() - used.returned(),
                "restarts were forgotten: " + used);
        checkWindow(budget, charged, returned);
        checkOrders(round, previous, charged);
        // Those that made a node back off may have failed before this incarnation of the run began.
        require(used.total() - starts.size() <= failures, "more restarts were charged than workers failed");
    }

    private void checkWindow(RestartBudget budget, int charged, int returned) {
        if (!budget.hasWindow()) {
            return;
        }
        long now = cluster.time.nowNanos();
        while (!charges.isEmpty() && now - charges.getFirst() >= budget.window().toNanos()) {
            charges.removeFirst();
        }
        // Those that come back are the oldest of those that count, of which some may be beyond the window here.
        for (int i = 0; i < returned && !charges.isEmpty(); i++) {
            charges.removeFirst();
        }
        for (int i = 0; i < charged; i++) {
            charges.addLast(now);
        }
        require(
                charges.size() <= budget.max(),
                charges.size() + " restarts within " + budget.window().toMillis() + " ms");
    }

    private void checkOrders(Round round, @Nullable Round previous, int charged) {
        long fresh = fresh(round, previous, Order.Kind.START);
        require(charged >= fresh, "a start was not charged");
        int before = starts.size();
        round.orders().stream()
                .filter(order -> order.kind() == Order.Kind.START)
                .forEach(starts::add);
        require(starts.size() - before == fresh, "a start was charged twice: " + round.orders());
        require(
                fresh(round, previous, Order.Kind.LEAVE) == 0
                        || round.budgetUsed() == cluster.config.terms().maxRestarts(),
                "a node was sent away although a restart is left: " + round.used());
    }

    private static long fresh(Round round, @Nullable Round previous, Order.Kind kind) {
        return round.orders().stream()
                .filter(order -> order.kind() == kind)
                .filter(order -> previous == null || !previous.orders().contains(order))
                .count();
    }

    void onVerdict(Verdict verdict, @Nullable Round newest) {
        int used = newest == null ? 0 : newest.budgetUsed();
        require(
                !verdict.reason().contains("no restart is left")
                        || used >= cluster.config.terms().maxRestarts(),
                "the run ended although a restart is left: " + (newest == null ? "no round" : newest.used()));
    }

    /** Whether a round is written again because of the budget. */
    static boolean isNews(Round round, @Nullable Round previous) {
        UsedRestarts before = previous == null ? UsedRestarts.NONE : previous.used();
        return round.used().returned() > before.returned()
                || fresh(round, previous, Order.Kind.START) > 0
                || fresh(round, previous, Order.Kind.LEAVE) > 0;
    }
}
