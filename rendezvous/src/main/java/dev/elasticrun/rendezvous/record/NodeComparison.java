/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.record;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Compares the failures of one node with those of the others, as far as a round records them: where all fail, as in a storm
 * of preemptions, none of them is at fault. Pure.
 *
 * <p>What counts is by how much a node is above the others: above their mean and four times the square root of that mean,
 * which is the standard deviation of a count of independent events. Others are the nodes of the round and those whose
 * failures it records. A node without others is not compared, and not at fault.
 */
public final class NodeComparison {
    private static final int FAILING = 3;
    private static final double DEVIATIONS = 4;

    private NodeComparison() {}

    /** Whether workers of that node failed at least three times more than can be expected from the others. */
    public static boolean isFailing(Round round, FailureHistory.Trouble node) {
        return above(round, node, FailureHistory.Trouble::failures) >= FAILING;
    }

    /** How often that node left rounds by failure or loss, beyond what can be expected from the others; at least 0. */
    public static int strikes(Round round, FailureHistory.Trouble node) {
        return above(round, node, FailureHistory.Trouble::strikes);
    }

    private static int above(Round round, FailureHistory.Trouble node, ToIntFunction<FailureHistory.Trouble> count) {
        Map<String, FailureHistory.Trouble> known = round.history().troubles().stream()
                .collect(Collectors.toMap(FailureHistory.Trouble::nodeId, Function.identity()));
        Set<String> others = new TreeSet<>(known.keySet());
        round.participants().forEach(place -> others.add(place.nodeId()));
        others.remove(node.nodeId());
        if (others.isEmpty()) {
            return 0;
        }
        int sum = others.stream()
                .filter(known::containsKey)
                .mapToInt(other -> count.applyAsInt(known.get(other)))
                .sum();
        double mean = sum / (double) others.size();
        return (int) Math.max(0, Math.floor(count.applyAsInt(node) - mean - DEVIATIONS * Math.sqrt(mean)));
    }
}
