/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobOption;
import dev.elasticrun.scheduler.Scheduler;
import dev.elasticrun.scheduler.SchedulerProvider;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;

/** Kubernetes, as the user's kubeconfig or a pod's service account reaches it. Ids of jobs are {@code NAMESPACE/NAME}. */
public final class KubernetesSchedulerProvider implements SchedulerProvider {
    @Override
    public String name() {
        return "kubernetes";
    }

    @Override
    public List<JobOption> options() {
        return Options.ALL;
    }

    @Override
    public Scheduler open(Map<String, String> environment) {
        return new KubernetesScheduler(() -> ClusterAccess.client(environment), KubernetesSchedulerProvider::identity);
    }

    private static RunIdentity identity(String job) {
        SecureRandom random = new SecureRandom();
        byte[] suffix = new byte[RunIdentity.SUFFIX_BYTES];
        random.nextBytes(suffix);
        byte[] key = new byte[RunIdentity.KEY_BYTES];
        random.nextBytes(key);
        return RunIdentity.of(job, suffix, key);
    }
}
