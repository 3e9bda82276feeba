/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What Kubeflow's Trainer runs: a TrainJob, and the runtime that describes its pods. */
final class TrainerManifests {
    private TrainerManifests() {}

    /** Cluster-wide, so named after the submission and not after the job. */
    static GenericKubernetesResource runtime(ManifestSpec spec, RunIdentity identity, TrainerRuntime.Policy policy) {
        Fields mlPolicy = Fields.with("numNodes", spec.job().maxNodes());
        if (policy != TrainerRuntime.Policy.NONE) {
            mlPolicy.and(policy.name().toLowerCase(Locale.ROOT), Map.of());
        }
        // Trainer looks for the step's label on the job's template, not on the pod's.
        Map<String, Object> template = Fields.with(
                        "metadata", Map.of("labels", Map.of("trainer.kubeflow.org/trainjob-ancestor-step", "trainer")))
                .and("spec", AgentJob.base(spec, identity).build())
                .map();
        Map<String, Object> jobSet = Fields.with("network", Map.of("publishNotReadyAddresses", true))
                .and(
                        "replicatedJobs",
                        List.of(Fields.with("name", Names.NODE)
                                .and("template", template)
                                .map()))
                .map();
        return CustomKind.CLUSTER_TRAINING_RUNTIME.resource(
                Metadata.ofCluster(spec, identity, identity.run()),
                Fields.with("mlPolicy", mlPolicy.map())
                        .and("template", Map.of("spec", jobSet))
                        .map());
    }

    static GenericKubernetesResource trainJob(ManifestSpec spec, RunIdentity identity) {
        Fields trainer = Fields.with("image", spec.image())
                .and("command", List.of(spec.agent()))
                .and("args", AgentArguments.of(spec, identity))
                .and("numNodes", spec.job().maxNodes());
        // Of the policy for PyTorch, which makes PET_NPROC_PER_NODE of it.
        boolean isTorch = spec.runtime().equals(new TrainerRuntime.Made(TrainerRuntime.Policy.TORCH));
        if (isTorch && spec.job().workersPerNode() > 0) {
            trainer.and("numProcPerNode", spec.job().workersPerNode());
        }
        ResourceRequirements resources = spec.resources().requirements();
        if (!resources.getLimits().isEmpty()) {
            trainer.and(
                    "resourcesPerNode",
                    Fields.with("requests", resources.getRequests())
                            .and("limits", resources.getLimits())
                            .map());
        }
        String runtime = identity.run();
        if (spec.runtime() instanceof TrainerRuntime.Existing existing) {
            runtime = existing.name();
            trainer.and("env", List.of(AgentPod.podIp()));
        }
        return CustomKind.TRAINJOB.resource(
                Metadata.ofJob(spec, identity),
                Fields.with("runtimeRef", Map.of("name", runtime))
                        .and("trainer", trainer.map())
                        .map());
    }
}
