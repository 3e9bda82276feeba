/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.HashSet;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Compares the failures of one node with those of the others, as far as a round records them: where all fail, as in a storm
 * of preemptions, none of them is at fault. Pure.
 *
 * <p>What counts is by how much a node is above the others: above their mean and four times the square root of that mean,
 * which is the standard deviation of a count of independent events. Others are the nodes of the round and those whose
 * failures it records. A node without others is not compared, and not at fault. All counts are of the same time: that
 * since the node's own count began.
 */
public final class NodeComparison {
    private static final int FAILING = 3;
    private static final double DEVIATIONS = 4;

    private NodeComparison() {}

    /** Whether workers of that node failed at least three times more than can be expected from the others. */
    public static boolean isFailing(Round round, FailureHistory.Trouble node) {
        return above(round, node, FailureHistory.Counts::failures) >= FAILING;
    }

    /** How often that node left rounds by failure or loss, beyond what can be expected from the others; at least 0. */
    public static int strikes(Round round, FailureHistory.Trouble node) {
        return above(round, node, FailureHistory.Counts::strikes);
    }

    private static int above(Round round, FailureHistory.Trouble node, ToIntFunction<FailureHistory.Counts> count) {
        Set<String> others = new HashSet<>();
        round.history().troubles().forEach(trouble -> others.add(trouble.nodeId()));
        round.participants().forEach(place -> others.add(place.nodeId()));
        others.remove(node.nodeId());
        if (others.isEmpty()) {
            return 0;
        }
        double mean = count.applyAsInt(node.others()) / (double) others.size();
        return (int) Math.max(0, Math.floor(count.applyAsInt(node.own()) - mean - DEVIATIONS * Math.sqrt(mean)));
    }
}
