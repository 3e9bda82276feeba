/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;

/** Kinds that a cluster has if JobSet and Kubeflow's Trainer are installed. */
enum CustomKind {
    JOBSET("jobset.x-k8s.io", "v1alpha2", "JobSet", "jobsets", true),
    TRAINJOB("trainer.kubeflow.org", "v1alpha1", "TrainJob", "trainjobs", true),
    CLUSTER_TRAINING_RUNTIME(
            "trainer.kubeflow.org", "v1alpha1", "ClusterTrainingRuntime", "clustertrainingruntimes", false);

    private final String group;
    private final String version;
    private final String kind;
    private final String plural;
    private final boolean isNamespaced;

    CustomKind(String group, String version, String kind, String plural, boolean isNamespaced) {
        this.group = group;
        this.version = version;
        this.kind = kind;
        this.plural = plural;
        this.isNamespaced = isNamespaced;
    }

    /** @throws IllegalArgumentException for a kind that is not here */
    static CustomKind of(String kind) {
        return List.of(values()).stream()
                .filter(each -> each.kind.equals(kind))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("kind: " + kind));
    }

    boolean isNamespaced() {
        return isNamespaced;
    }

    ResourceDefinitionContext context() {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(isNamespaced)
                .build();
    }

    GenericKubernetesResource resource(ObjectMeta metadata, Map<String, Object> spec) {
        GenericKubernetesResource resource = new GenericKubernetesResource();
        resource.setApiVersion(group + "/" + version);
        resource.setKind(kind);
        resource.setMetadata(metadata);
        resource.setAdditionalProperty("spec", spec);
        return resource;
    }
}
