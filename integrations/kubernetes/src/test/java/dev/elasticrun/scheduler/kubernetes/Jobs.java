/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Jobs of tests: {@code xgb}, 2 to 4 nodes of 4 workers. */
record Jobs(int minNodes, int maxNodes, int workers, List<String> flags, Map<String, String> options) {
    static final RunIdentity IDENTITY = new RunIdentity("xgb-0a1b2c3d", "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");

    /** With an etcd somewhere. */
    static Jobs plain() {
        return bare().withFlags("--rdzv-endpoint=etcd.example:2379");
    }

    /** Without a place to meet. */
    static Jobs bare() {
        return new Jobs(2, 4, 4, List.of(), Map.of("image", "registry.example/train:1"));
    }

    Jobs withFlags(String... given) {
        return new Jobs(minNodes, maxNodes, workers, List.of(given), options);
    }

    Jobs withNodes(int min, int max) {
        return new Jobs(min, max, workers, flags, options);
    }

    Jobs withWorkers(int number) {
        return new Jobs(minNodes, maxNodes, number, flags, options);
    }

    Jobs with(String option, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(option, value);
        return new Jobs(minNodes, maxNodes, workers, flags, more);
    }

    Jobs without(String option) {
        Map<String, String> fewer = new HashMap<>(options);
        fewer.remove(option);
        return new Jobs(minNodes, maxNodes, workers, flags, fewer);
    }

    JobSpec job() {
        return named("xgb");
    }

    JobSpec named(String name) {
        return new JobSpec(
                name,
                minNodes,
                maxNodes,
                workers,
                flags,
                List.of("/app/train.jar", "--rounds", "100"),
                options,
                Path.of("/"));
    }

    ManifestSpec spec() {
        return SpecReader.read(job());
    }

    /** Every form, with few options and with all that it takes. */
    static Map<String, Jobs> all() {
        Jobs full = bare().with("etcd-image", "registry.example/etcd:3.5")
                .with("namespace", "training")
                .with("agent", "/opt/elastic-run/bin/elastic-run")
                .with("cpu", "500m")
                .with("memory", "8Gi")
                .with("gpus", "2")
                .with("gpu-resource", "amd.com/gpu")
                .with("shm-size", "2Gi")
                .with("service-account", "trainer")
                .with("pull-secret", "registry")
                .with("priority-class", "batch")
                .with("node-selector", "pool=gpu,zone=a")
                .with("tolerations", "gpu=yes:NoSchedule,spot")
                .with("backoff-limit", "50")
                .withFlags("--restart-policy=soft", "--shutdown-timeout=2m");
        Jobs trainer = plain().with("form", "trainjob");
        Map<String, Jobs> all = new HashMap<>();
        all.put("job", plain());
        all.put("job, one node", bare().withNodes(1, 1));
        all.put("job, all", full.with("etcd-storage", "1Gi").with("ttl", "2h"));
        all.put("job, own key", plain().with("run-key-secret", "ours"));
        all.put("jobset", plain().with("form", "jobset"));
        all.put("jobset, all", full.with("form", "jobset").with("ttl", "30m"));
        all.put("trainjob", trainer);
        all.put("trainjob, xgboost", trainer.with("ml-policy", "xgboost").withWorkers(0));
        all.put("trainjob, no policy", trainer.with("ml-policy", "none"));
        all.put("trainjob, all", full.with("form", "trainjob").with("etcd-storage", "1Gi"));
        all.put(
                "trainjob, runtime of the cluster",
                trainer.with("runtime", "xgboost-distributed").with("gpus", "4"));
        return all;
    }
}
