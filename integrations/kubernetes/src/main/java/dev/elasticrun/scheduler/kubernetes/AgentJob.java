/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyOnPodConditionsPatternBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRuleBuilder;

/** The Job, in the sense of Kubernetes, that makes the agents' pods. */
final class AgentJob {
    /** Exit codes of agents. */
    private static final int USAGE = 2;

    private static final int NO_PROGRESS = 6;
    private static final int DRAINED = 143;

    private AgentJob() {}

    /** A work queue: it may be as wide as the run has nodes, and is over when its pods have ended, one of them with 0. */
    static Job of(ManifestSpec spec, RunIdentity identity) {
        return new JobBuilder()
                .withMetadata(Metadata.ofJob(spec, identity))
                .withSpec(workQueue(spec, identity)
                        .withTtlSecondsAfterFinished(spec.ttlSeconds())
                        .build())
                .build();
    }

    static JobSpecBuilder workQueue(ManifestSpec spec, RunIdentity identity) {
        return base(spec, identity)
                .withCompletionMode("NonIndexed")
                .withParallelism(spec.job().maxNodes());
    }

    /** What all forms have in common. */
    static JobSpecBuilder base(ManifestSpec spec, RunIdentity identity) {
        String container = spec.form().container();
        return new JobSpecBuilder()
                .withBackoffLimit(spec.backoffLimit())
                .withPodReplacementPolicy("Failed")
                .withNewPodFailurePolicy()
                .withRules(
                        disrupted(),
                        onExit("Ignore", container, DRAINED),
                        onExit("FailJob", container, USAGE, NO_PROGRESS))
                .endPodFailurePolicy()
                .withTemplate(AgentPod.of(spec, identity));
    }

    /** Evicted, preempted, or on a node that is gone: not the program's fault. */
    private static PodFailurePolicyRule disrupted() {
        return new PodFailurePolicyRuleBuilder()
                .withAction("Ignore")
                .withOnPodConditions(new PodFailurePolicyOnPodConditionsPatternBuilder()
                        .withType("DisruptionTarget")
                        .withStatus("True")
                        .build())
                .build();
    }

    private static PodFailurePolicyRule onExit(String action, String container, Integer... codes) {
        return new PodFailurePolicyRuleBuilder()
                .withAction(action)
                .withNewOnExitCodes()
                .withContainerName(container)
                .withOperator("In")
                .withValues(codes)
                .endOnExitCodes()
                .build();
    }
}
