/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.ArrayList;
import java.util.List;

/** An etcd of one member for one job. */
final class EtcdManifests {
    private static final String DATA = "data";
    private static final String DATA_DIR = "/var/lib/etcd";
    private static final String TMP = "tmp";

    private EtcdManifests() {}

    /** Gives the member its name; the name is known once the member answers. */
    static Service service(ManifestSpec spec, RunIdentity identity) {
        return new ServiceBuilder()
                .withMetadata(Metadata.of(spec, identity, spec.etcdName()))
                .withNewSpec()
                .withClusterIP("None")
                .withSelector(spec.etcdLabels(identity))
                .addNewPort()
                .withName("client")
                .withPort(AgentArguments.ETCD_PORT)
                .withTargetPort(new IntOrString(AgentArguments.ETCD_PORT))
                .endPort()
                .endSpec()
                .build();
    }

    static StatefulSet statefulSet(ManifestSpec spec, RunIdentity identity, StorePlace.OfJob store) {
        StatefulSet set = new StatefulSetBuilder()
                .withMetadata(Metadata.of(spec, identity, spec.etcdName()))
                .withNewSpec()
                .withServiceName(spec.etcdName())
                .withReplicas(1)
                .withNewSelector()
                .withMatchLabels(spec.etcdLabels(identity))
                .endSelector()
                .withNewPersistentVolumeClaimRetentionPolicy()
                .withWhenDeleted("Delete")
                .withWhenScaled("Retain")
                .endPersistentVolumeClaimRetentionPolicy()
                .withTemplate(pod(spec, identity, store, "Always"))
                .endSpec()
                .build();
        store.storage().ifPresent(size -> set.getSpec().setVolumeClaimTemplates(List.of(claim(size))));
        return set;
    }

    /** @param restartPolicy of its container, which keeps the data within the pod */
    static PodTemplateSpec pod(ManifestSpec spec, RunIdentity identity, StorePlace.OfJob store, String restartPolicy) {
        PodSpecBuilder pod = new PodSpecBuilder()
                .withRestartPolicy(restartPolicy)
                .withEnableServiceLinks(false)
                .withAutomountServiceAccountToken(false)
                .withSecurityContext(Restricted.pod())
                .withContainers(container(spec, store));
        pod.addToVolumes(AgentPod.directory(TMP));
        if (store.storage().isEmpty()) {
            pod.addToVolumes(AgentPod.directory(DATA));
        }
        return new PodTemplateSpecBuilder()
                .withMetadata(Metadata.ofPod(spec, identity, Names.ETCD))
                .withSpec(pod.build())
                .build();
    }

    private static Container container(ManifestSpec spec, StorePlace.OfJob store) {
        List<String> arguments = new ArrayList<>();
        arguments.add("--name=" + Names.ETCD);
        // A directory of its own: the volume's belongs to root.
        arguments.add("--data-dir=" + DATA_DIR + "/" + DATA);
        arguments.add("--listen-client-urls=http://0.0.0.0:" + AgentArguments.ETCD_PORT);
        arguments.add("--advertise-client-urls=http://" + spec.etcdHost() + ":" + AgentArguments.ETCD_PORT);
        arguments.add("--listen-peer-urls=http://127.0.0.1:2380");
        arguments.add("--auto-compaction-mode=periodic");
        arguments.add("--auto-compaction-retention=10m");
        return new ContainerBuilder()
                .withName(Names.ETCD)
                .withImage(store.image())
                .withCommand("etcd")
                .withArgs(arguments)
                .addNewPort()
                .withName("client")
                .withContainerPort(AgentArguments.ETCD_PORT)
                .endPort()
                .withNewReadinessProbe()
                .withNewHttpGet()
                .withPath("/health")
                .withPort(new IntOrString(AgentArguments.ETCD_PORT))
                .endHttpGet()
                .withPeriodSeconds(2)
                .endReadinessProbe()
                .withSecurityContext(Restricted.container())
                .withVolumeMounts(AgentPod.mount(DATA, DATA_DIR), AgentPod.mount(TMP, "/tmp"))
                .build();
    }

    private static PersistentVolumeClaim claim(String size) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName(DATA)
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .addToRequests("storage", new Quantity(size))
                .endResources()
                .endSpec()
                .build();
    }
}
