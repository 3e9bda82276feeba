/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.engine;

import dev.elasticrun.agent.config.Settings;
import java.util.Map;

/**
 * Variables of a pod: those that Kubernetes sets for an indexed Job, those of JobSet, and {@code POD_IP}, which manifests
 * take from the pod's status. Kubeflow's Trainer sets torchrun's variables, which are read as such.
 */
final class KubernetesVariables {
    private KubernetesVariables() {}

    static void read(Map<String, String> environment, Engine.Collector values) {
        values.firstAmongNodes(Settings.RUN_ID, "JOBSET_NAME", "JOB_NAME");
        values.firstAmongNodes(Settings.NODE_RANK, "JOB_COMPLETION_INDEX");
        values.firstAmongNodes(Settings.LOCAL_ADDR, "POD_IP");
    }
}
