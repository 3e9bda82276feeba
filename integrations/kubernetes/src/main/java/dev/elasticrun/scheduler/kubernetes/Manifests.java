/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** All objects of a job. */
final class Manifests {
    private Manifests() {}

    /** In the order in which they are created: the object that stands for the job is the last one. */
    static List<HasMetadata> of(ManifestSpec spec, RunIdentity identity) {
        List<HasMetadata> all = new ArrayList<>();
        all.add(policy(spec, identity, spec.name(), spec.agentLabels(identity)));
        if (spec.hasOwnEtcd()) {
            all.add(policy(spec, identity, spec.etcdName(), spec.etcdLabels(identity)));
        }
        if (spec.hasKeySecret() && spec.runKeySecret().isEmpty()) {
            all.add(key(spec, identity));
        }
        if (spec.form() == Form.JOB) {
            all.add(service(spec, identity));
        }
        if (spec.form() != Form.JOBSET && spec.store() instanceof StorePlace.OfJob store) {
            all.add(EtcdManifests.service(spec, identity));
            all.add(EtcdManifests.statefulSet(spec, identity, store));
        }
        switch (spec.form()) {
            case JOB -> all.add(AgentJob.of(spec, identity));
            case JOBSET -> all.add(JobSetManifest.of(spec, identity));
            case TRAINJOB -> {
                if (spec.runtime() instanceof TrainerRuntime.Made made) {
                    all.add(TrainerManifests.runtime(spec, identity, made.policy()));
                }
                all.add(TrainerManifests.trainJob(spec, identity));
            }
        }
        return List.copyOf(all);
    }

    /** Lets only the job's agents in. */
    private static NetworkPolicy policy(
            ManifestSpec spec, RunIdentity identity, String name, Map<String, String> protectedPods) {
        return new NetworkPolicyBuilder()
                .withMetadata(Metadata.of(spec, identity, name))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(protectedPods)
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .addNewIngress()
                .addNewFrom()
                .withNewPodSelector()
                .withMatchLabels(spec.agentLabels(identity))
                .endPodSelector()
                .endFrom()
                .endIngress()
                .endSpec()
                .build();
    }

    private static Secret key(ManifestSpec spec, RunIdentity identity) {
        return new SecretBuilder()
                .withMetadata(Metadata.of(spec, identity, spec.keySecret()))
                .withType("Opaque")
                .withImmutable(true)
                .addToData(AgentArguments.KEY, identity.key())
                .build();
    }

    /** Names of the pods, which are known before an agent is ready: agents need each other to be ready. */
    private static Service service(ManifestSpec spec, RunIdentity identity) {
        return new ServiceBuilder()
                .withMetadata(Metadata.of(spec, identity, spec.name()))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(spec.agentLabels(identity))
                .endSpec()
                .build();
    }
}
