/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.MemberState;
import dev.elasticrun.rendezvous.restart.RestartDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Plans the pause in which a round waits to be whole again: for failed workers that are replaced, as long as it takes,
 * and for nodes that failed or were lost, as long as was asked for. The survivors keep what they have loaded.
 */
final class ReplacementPlanner {
    // Waits that come after this one: a run in one of them has waited here already.
    private static final Set<Gathering.Kind> LATER =
            EnumSet.of(Gathering.Kind.BELOW_MINIMUM, Gathering.Kind.READINESS, Gathering.Kind.MASTER_ENDPOINT);

    private final Duration patience;
    private final boolean waitsForWorkers;

    /**
     * @param patience how long nodes may take to return; zero = the run does not wait for them
     * @param waitsForWorkers whether it waits for the fresh workers of nodes that could continue with fewer
     */
    ReplacementPlanner(Duration patience, boolean waitsForWorkers) {
        this.patience = patience;
        this.waitsForWorkers = waitsForWorkers;
    }

    /** Empty when there is nothing to wait for. */
    Optional<Plan> plan(PlanInput now, RestartDecision.Reform reform) {
        MemberStates memberStates = now.memberStates();
        List<String> growing = growing(now, reform);
        boolean replacing =
                !reform.replace().isEmpty() || memberStates.any(MemberState.REPLACING) || !growing.isEmpty();
        int awaited = awaited(now, reform);
        int returned = memberStates.admitted(now.maxNodes()).size();
        Gathering wait = now.gathering().become(Gathering.Kind.REPLACEMENT, now.nowNanos());
        long deadline = wait.deadlineNanos(patience);
        boolean patient = !isOver(now) && now.nowNanos() - deadline < 0;
        if (!replacing && (returned >= awaited || !patient)) {
            return whole(now, reform);
        }
        if (RoundBuilder.isNews(now, reform)) {
            Round suspended = RoundBuilder.suspend(now, false, reform).withAwaited(awaited);
            return Optional.of(new Plan(new Decision.Publish(suspended), wait, suspended.cause()));
        }
        long until = replacing ? Long.MAX_VALUE : deadline;
        return Optional.of(new Plan(new Decision.Wait(until), wait, reason(now, growing, awaited - returned)));
    }

    /** Newcomers are left to the next round: the members have the same ranks as before, and lose nothing. */
    private static Optional<Plan> whole(PlanInput now, RestartDecision.Reform reform) {
        Round round = now.round();
        boolean same = round.replaces()
                && reform.restart().isEmpty()
                && reform.leave().isEmpty()
                && now.memberStates().survivors().size() == round.participants().size();
        if (!same) {
            return Optional.empty();
        }
        RestartDecision.Reform resume = RoundBuilder.unchanged(round.causes());
        return Optional.of(ReformPlanner.seal(
                now, RoundBuilder.seal(now, now.memberStates().survivors(), List.of(), resume)));
    }

    /** Nodes that the round has to do without now, and that may come back; not those that leave in good order. */
    private int awaited(PlanInput now, RestartDecision.Reform reform) {
        if (patience.isZero()) {
            return 0;
        }
        List<String> gone = new ArrayList<>(now.memberStates().in(MemberState.LOST));
        gone.addAll(reform.restart());
        return now.round().awaited() + gone.size();
    }

    private static boolean isOver(PlanInput now) {
        return now.round().suspended() && LATER.contains(now.gathering().kind());
    }

    /** Members that continue, and whose fresh workers the round waits for. */
    private List<String> growing(PlanInput now, RestartDecision.Reform reform) {
        return now.memberStates().survivors().stream()
                .filter(node -> waitsForWorkers && node.isGrowing(now.round()))
                .map(Node::nodeId)
                .filter(nodeId -> !reform.leave().contains(nodeId))
                .toList();
    }

    private static String reason(PlanInput now, List<String> growing, int missing) {
        List<String> waits = new ArrayList<>();
        List<String> replacing = new ArrayList<>(now.memberStates().in(MemberState.REPLACING));
        replacing.addAll(growing);
        if (!replacing.isEmpty()) {
            waits.add("the replaced workers of " + String.join(", ", replacing) + " to report READY");
        }
        if (missing > 0) {
            waits.add(missing + (missing == 1 ? " node" : " nodes") + " to return");
        }
        return "waiting for " + String.join(" and for ", waits) + "; "
                + now.round().cause();
    }
}
