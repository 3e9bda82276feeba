/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.engine;

import dev.elasticrun.agent.config.Settings;
import java.util.Map;

/**
 * Slurm's variables of a job step. The elements of a job array are the nodes of one run, as are the tasks of a job with
 * several nodes; its host names are not used, since hosts need not resolve them.
 */
final class SlurmVariables {
    private static final String ARRAY = "SLURM_ARRAY_JOB_ID";
    private static final String JOB = "SLURM_JOB_ID";

    private SlurmVariables() {}

    static void read(Map<String, String> environment, Engine.Collector values) {
        if (!environment.getOrDefault(ARRAY, "").isEmpty()) {
            values.firstAmongNodes(Settings.RUN_ID, ARRAY);
            values.firstAmongNodes(Settings.NNODES, "SLURM_ARRAY_TASK_COUNT");
            values.firstAmongNodes(Settings.NODE_RANK, "SLURM_ARRAY_TASK_ID");
        } else {
            // Each step is a run: a user may call several in one allocation.
            String step = environment.getOrDefault("SLURM_STEP_ID", "");
            if (values.meetsOthers()) {
                values.put(Settings.RUN_ID, JOB, environment.get(JOB) + (step.isEmpty() ? "" : "." + step));
            }
            values.firstAmongNodes(Settings.NNODES, "SLURM_JOB_NUM_NODES", "SLURM_NNODES");
            values.firstAmongNodes(Settings.NODE_RANK, "SLURM_NODEID");
        }
        values.first(Settings.NPROC_PER_NODE, "SLURM_GPUS_ON_NODE");
    }
}
