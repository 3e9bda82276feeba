/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import dev.elasticrun.worker.ElasticRuntime;
import dev.elasticrun.worker.contract.WorkerInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Is in XGBoost's group of its first round until there is another round, and leaves it then. XGBoost4J is found in the jar of
 * the samples, which do not use it by themselves.
 */
final class LeaveProgram {
    private LeaveProgram() {}

    public static void main(String[] args) throws Exception {
        WorkerInfo info = ElasticRuntime.getWorkerInfo();
        Map<String, Object> group = new HashMap<>();
        group.put("dmlc_tracker_uri", info.runtime().get("DMLC_TRACKER_URI"));
        group.put("dmlc_tracker_port", Integer.valueOf(info.runtime().getOrDefault("DMLC_TRACKER_PORT", "")));
        group.put("dmlc_task_id", info.runtime().get("DMLC_TASK_ID"));
        group.put("dmlc_timeout", Integer.valueOf(args[0]));
        group.put("dmlc_retry", 1);
        Class<?> communicator = Class.forName("ml.dmlc.xgboost4j.java.Communicator");
        communicator.getMethod("init", Map.class).invoke(null, group);
        System.out.println("rank " + communicator.getMethod("getRank").invoke(null) + " of "
                + communicator.getMethod("getWorldSize").invoke(null));
        ElasticRuntime.awaitWork(info.round());
        communicator.getMethod("shutdown").invoke(null);
        System.out.println("left the group");
    }
}
