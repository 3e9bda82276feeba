/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Jobs of tests. */
final class Jobs {
    static final String ETCD = "--rdzv-endpoint=etcd1:2379";

    private Jobs() {}

    /** Two to four nodes that meet at an etcd. */
    static JobSpec elastic(Map<String, String> options) {
        return elastic(options, List.of("--nnodes=2:4", ETCD));
    }

    static JobSpec elastic(Map<String, String> options, List<String> flags) {
        return job(options, flags, List.of("train.jar", "--data", "my file"));
    }

    static JobSpec job(Map<String, String> options, List<String> flags, List<String> command) {
        return new JobSpec("train", 2, 4, 1, flags, command, options, Path.of("/home/u/project"));
    }
}
