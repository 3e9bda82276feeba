/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.sim;

import static dev.elasticrun.agent.sim.RunInvariants.require;

import dev.elasticrun.rendezvous.plan.Decision;
import dev.elasticrun.rendezvous.plan.PlannerCall;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Order;
import dev.elasticrun.rendezvous.record.Round;

/** Whether coordinators wait until nodes have obeyed the orders of a round. */
final class OrderInvariants {
    private OrderInvariants() {}

    /**
     * A node that has to restart its workers is given ranks when none of those it has, also of those that have ended, is
     * of the generation that the order is about, or of an earlier one. Where workers are replaced one by one, a newer
     * generation alone does not show that.
     */
    static void onDecided(PlannerCall call, boolean elasticWorkers) {
        Round round = call.given().round();
        if (round == null
                || !elasticWorkers
                || !(call.plan().decision() instanceof Decision.Publish publish)
                || publish.round().suspended()
                || publish.round().number() == round.number()) {
            return;
        }
        call.given().nodes().stream()
                .filter(node -> node.isIn(publish.round()))
                .forEach(node -> checkRestarted(node, round));
    }

    private static void checkRestarted(Node node, Round round) {
        round.order(node.nodeId())
                .filter(order -> order.kind() == Order.Kind.RESTART)
                .ifPresent(order -> require(
                        node.record().attempts().allMatch(attempt -> attempt > order.generation()),
                        node.nodeId() + " is given ranks although it has yet to obey " + order));
    }
}
