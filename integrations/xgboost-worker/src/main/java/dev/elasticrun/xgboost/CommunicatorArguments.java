/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.xgboost;

import dev.elasticrun.worker.contract.WorkerInfo;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code Communicator.init} of XGBoost4J must be given so that the workers of a round become one group: the tracker
 * of the round, and a task id by which a worker of another round is refused. For programs with a loop of their own. Pure.
 */
public final class CommunicatorArguments {
    /** For how long XGBoost waits for a peer, a connection or the tracker. More than a rank may be behind the others. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(20);

    private static final String TRACKER_HOST = "DMLC_TRACKER_URI";
    private static final String TRACKER_PORT = "DMLC_TRACKER_PORT";
    private static final String WORLD_SIZE = "DMLC_NUM_WORKER";

    private CommunicatorArguments() {}

    /**
     * With XGBoost's rank equal to the run's.
     *
     * @throws IllegalStateException if the round has no tracker
     */
    public static Map<String, Object> of(WorkerInfo info, Duration timeout) {
        return of(info, info.rank(), timeout);
    }

    /**
     * With ranks of the program's choice.
     *
     * @param rank 0 to the world's size - 1, another one for each worker of the round
     * @param timeout whole seconds, from 1
     * @throws IllegalStateException if the round has no tracker
     */
    public static Map<String, Object> of(WorkerInfo info, int rank, Duration timeout) {
        if (rank < 0 || rank >= info.worldSize()) {
            throw new IllegalArgumentException("rank: " + rank + " (expected: 0 to " + (info.worldSize() - 1) + ")");
        }
        if (timeout.toSeconds() < 1 || timeout.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: 1 s or more)");
        }
        String workers = value(info, WORLD_SIZE);
        if (!workers.equals(Integer.toString(info.worldSize()))) {
            throw new IllegalStateException(
                    WORLD_SIZE + ": " + workers + " (expected: " + info.worldSize() + ", the workers of the round)");
        }
        // The native side takes numbers as numbers only.
        return Map.of(
                "dmlc_communicator", "rabit",
                "dmlc_tracker_uri", value(info, TRACKER_HOST),
                "dmlc_tracker_port", port(value(info, TRACKER_PORT)),
                "dmlc_task_id", String.format(Locale.ROOT, "g%08d-r%06d", info.round(), rank),
                "dmlc_retry", 1,
                "dmlc_timeout", Math.toIntExact(timeout.toSeconds()));
    }

    private static String value(WorkerInfo info, String key) {
        String value = info.runtime().get(key);
        if (value == null) {
            throw new IllegalStateException(key + ": not among the values of round " + info.round()
                    + " (expected: a run that was started with --runtime xgboost)");
        }
        return value;
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= 65535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below, together with numbers out of range.
        }
        throw new IllegalStateException(TRACKER_PORT + ": " + text + " (expected: a port, 1 to 65535)");
    }
}
