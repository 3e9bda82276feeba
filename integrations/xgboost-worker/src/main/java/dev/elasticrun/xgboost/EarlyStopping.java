/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.util.Set;

/**
 * Decides when boosting no longer helps: the last metric of the last evaluation set has not improved for {@code
 * patience} rounds, as in XGBoost's own early stopping. Pure.
 */
final class EarlyStopping {
    /** Of which more is better; everything else is a loss. */
    private static final Set<String> GAINS =
            Set.of("auc", "aucpr", "pre", "map", "ndcg", "interval-regression-accuracy");

    private EarlyStopping() {}

    /**
     * The round, from 0, after which the metric was best; the first of equals. A value that is no number is never best.
     *
     * @param metric with the name of its set before it, as in {@code eval-auc}
     * @param history value after each round; at least one
     */
    static int best(String metric, double[] history) {
        boolean isGain = isGain(metric);
        int best = 0;
        for (int round = 1; round < history.length; round++) {
            double value = history[round];
            if (Double.isNaN(history[best]) || (isGain ? value > history[best] : value < history[best])) {
                best = round;
            }
        }
        return best;
    }

    /** @param patience rounds without a better value, from 1; 0 = never ends */
    static boolean isOver(String metric, double[] history, int patience) {
        return patience > 0 && history.length > 0 && history.length - 1 - best(metric, history) >= patience;
    }

    /** Whether more is better: {@code eval-ndcg@10-}, {@code eval-auc}. */
    static boolean isGain(String metric) {
        String name = metric.substring(metric.indexOf('-') + 1);
        int at = name.indexOf('@');
        return GAINS.contains(at < 0 ? name : name.substring(0, at));
    }
}
