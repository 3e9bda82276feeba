/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.worker;

import dev.elasticrun.agent.config.Processors;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.WorkerProgram;
import dev.elasticrun.worker.contract.WorkerEnv;
import java.util.List;
import java.util.Map;

/** The variables that torchrun gives its workers besides those of their places. Pure. */
final class TorchEnvironment {
    private static final String PREFIX = "TORCHELASTIC_";
    private static final String OWN_PREFIX = "ELASTIC_";
    private static final List<String> SAME =
            List.of(WorkerEnv.RUN_ID, WorkerEnv.RESTART_COUNT, WorkerEnv.MAX_RESTARTS, WorkerEnv.ERROR_FILE);
    private static final String THREADS = "OMP_NUM_THREADS";

    private TorchEnvironment() {}

    /**
     * Adds them.
     *
     * @param environment of a worker, with all else that it has
     * @param gpus that this node may use; counts only for workers with a virtual local rank
     */
    static void add(Map<String, String> environment, LaunchConfig config, int slot, List<String> gpus) {
        SAME.forEach(
                own -> environment.put(PREFIX + own.substring(OWN_PREFIX.length()), environment.getOrDefault(own, "")));
        // The store of a process group is rank 0's, at MASTER_ADDR and MASTER_PORT.
        environment.put(PREFIX + "USE_AGENT_STORE", "False");
        int workers = config.size().nprocPerNode();
        // A worker with a JVM divides the processors by itself, and by its own options.
        if (workers > 1 && !WorkerProgram.isJar(config)) {
            environment.putIfAbsent(THREADS, "1");
        }
        if (config.workers().virtualLocalRank()) {
            environment.put(WorkerEnv.LOCAL_RANK, "0");
            int place = slot % workers;
            if (place < gpus.size()) {
                environment.put(Processors.VISIBLE_GPUS, gpus.get(place));
            }
        }
    }
}
