/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashMap;
import java.util.Map;

/** Metadata of what belongs to a job. */
final class Metadata {
    private Metadata() {}

    static ObjectMeta of(ManifestSpec spec, RunIdentity identity, String name) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder().withName(name).withLabels(labels(spec, identity));
        spec.namespace().ifPresent(metadata::withNamespace);
        return metadata.build();
    }

    /** Of what no namespace has. */
    static ObjectMeta ofCluster(ManifestSpec spec, RunIdentity identity, String name) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withLabels(labels(spec, identity))
                .build();
    }

    /** Of the object that stands for the job: commands read its annotations. */
    static ObjectMeta ofJob(ManifestSpec spec, RunIdentity identity) {
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put(Names.RUN_ID, AgentArguments.runId(spec, identity));
        annotations.put(Names.NODES, AgentArguments.nodes(spec));
        ObjectMeta metadata = of(spec, identity, spec.name());
        metadata.setAnnotations(annotations);
        return metadata;
    }

    static ObjectMeta ofPod(ManifestSpec spec, RunIdentity identity, String component) {
        Map<String, String> labels = labels(spec, identity);
        labels.put(Names.COMPONENT, component);
        return new ObjectMetaBuilder().withLabels(labels).build();
    }

    private static Map<String, String> labels(ManifestSpec spec, RunIdentity identity) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(Names.NAME, Names.ELASTIC_RUN);
        labels.put(Names.INSTANCE, spec.name());
        labels.put(Names.MANAGED_BY, Names.ELASTIC_RUN);
        labels.put(Names.RUN, identity.run());
        return labels;
    }
}
