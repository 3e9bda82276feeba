/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A JobSet: the agents' Job, which begins when etcd's is ready. It is complete when the agents' Job is. */
final class JobSetManifest {
    private JobSetManifest() {}

    static GenericKubernetesResource of(ManifestSpec spec, RunIdentity identity) {
        List<Map<String, Object>> jobs = new ArrayList<>();
        Fields nodes = Fields.with("name", Names.NODE).and("replicas", 1);
        if (spec.store() instanceof StorePlace.OfJob store) {
            jobs.add(Fields.with("name", Names.ETCD)
                    .and("replicas", 1)
                    .and(
                            "template",
                            Fields.with("spec", etcd(spec, identity, store)).map())
                    .map());
            nodes.and(
                    "dependsOn",
                    List.of(Fields.with("name", Names.ETCD)
                            .and("status", "Ready")
                            .map()));
        }
        jobs.add(nodes.and(
                        "template",
                        Fields.with("spec", AgentJob.workQueue(spec, identity).build())
                                .map())
                .map());
        return CustomKind.JOBSET.resource(
                Metadata.ofJob(spec, identity),
                Fields.with("ttlSecondsAfterFinished", spec.ttlSeconds())
                        .and(
                                "network",
                                Fields.with("enableDNSHostnames", true)
                                        .and("publishNotReadyAddresses", true)
                                        .map())
                        .and(
                                "successPolicy",
                                Fields.with("operator", "All")
                                        .and("targetReplicatedJobs", List.of(Names.NODE))
                                        .map())
                        .and("replicatedJobs", jobs)
                        .map());
    }

    /** Its pod keeps its name, by which agents reach it, and its data while the container is started again. */
    private static JobSpec etcd(ManifestSpec spec, RunIdentity identity, StorePlace.OfJob store) {
        PodTemplateSpec pod = EtcdManifests.pod(spec, identity, store, "OnFailure");
        return new JobSpecBuilder()
                .withParallelism(1)
                .withCompletions(1)
                .withBackoffLimit(spec.backoffLimit())
                .withTemplate(pod)
                .build();
    }
}
