/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.runtime.xgboost;

import java.util.Map;
import java.util.Set;

/** Where a worker finds its tracker, in the variables that programs for Kubeflow's XGBoost runtime read. */
final class TrackerValues {
    private static final String URI = "DMLC_TRACKER_URI";
    private static final String PORT = "DMLC_TRACKER_PORT";
    private static final String TASK_ID = "DMLC_TASK_ID";
    private static final String NUM_WORKER = "DMLC_NUM_WORKER";

    static final Set<String> NAMES = Set.of(URI, PORT, TASK_ID, NUM_WORKER);

    private TrackerValues() {}

    static Map<String, String> of(String address, int port, int rank, int worldSize) {
        return Map.of(
                URI, address,
                PORT, Integer.toString(port),
                TASK_ID, Integer.toString(rank),
                NUM_WORKER, Integer.toString(worldSize));
    }
}
