/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is to be trained, the same on all ranks but for {@code preload}, and on what.
 *
 * @param timeout for how long XGBoost waits
 */
record TrainingPlan(Boosting boosting, Data data, Duration timeout, TrainingListener listener) {
    /** As many parts as the first round has workers. */
    static final int BY_FIRST_ROUND = 0;
    /** In each round as many parts as it has workers, each its own. */
    static final int BY_RANK = -1;

    /**
     * How the model is made.
     *
     * @param parameters as XGBoost takes them
     * @param rounds boosting rounds, from 1
     * @param checkpointEvery rounds between two commits at least, from 1
     * @param checkpointShare of the rounds that are done: as many may be between two commits; 0 = that does not matter
     * @param patience rounds without a better score before the end; 0 = all rounds are done
     */
    record Boosting(
            Map<String, Object> parameters, int rounds, int checkpointEvery, double checkpointShare, int patience) {
        /** Rounds until the next commit. */
        int untilCommit(int done) {
            return Math.max(checkpointEvery, (int) (done * checkpointShare));
        }
    }

    /**
     * On what.
     *
     * @param names of the data sets, of which the first is trained on
     * @param sources of their rows
     * @param shards number of parts of the data; {@link #BY_FIRST_ROUND}, {@link #BY_RANK}
     * @param preload the part that this worker loads before it has a rank; -1 = none
     */
    record Data(List<String> names, List<RowSource> sources, int shards, int preload) {
        Data {
            names = List.copyOf(names);
            sources = List.copyOf(sources);
        }
    }

    /** Identifies the model that the plan trains: plans that would give different models have different identities. */
    long identity() {
        Map<String, Object> sorted = new TreeMap<>(boosting.parameters());
        String text = sorted + " " + boosting.rounds() + " " + boosting.checkpointEvery() + " "
                + boosting.checkpointShare() + " " + boosting.patience()
                + " " + data.shards() + " " + data.names();
        return Digests.identity(text.getBytes(StandardCharsets.UTF_8));
    }
}
