/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.ArrayList;
import java.util.List;

/** A pod with one agent. */
final class AgentPod {
    private static final String TMP = "tmp";
    private static final String LOGS = "logs";
    private static final String SHM = "shm";
    private static final String RUN_KEY = "run-key";
    /** Read by the pod's user and group only. */
    private static final int KEY_MODE = 0440;

    private AgentPod() {}

    static PodTemplateSpec of(ManifestSpec spec, RunIdentity identity) {
        Placement placement = spec.placement();
        PodSpecBuilder pod = new PodSpecBuilder()
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(spec.graceSeconds())
                .withEnableServiceLinks(false)
                .withAutomountServiceAccountToken(false)
                .withSecurityContext(Restricted.pod())
                .withTopologySpreadConstraints(spread(spec, identity))
                .withNodeSelector(placement.nodeSelector())
                .withTolerations(placement.tolerations())
                .withContainers(container(spec, identity))
                .withVolumes(volumes(spec));
        placement.serviceAccount().ifPresent(pod::withServiceAccountName);
        placement.priorityClass().ifPresent(pod::withPriorityClassName);
        PodSpec made = pod.build();
        placement.pullSecret().ifPresent(secret -> made.setImagePullSecrets(List.of(new LocalObjectReference(secret))));
        return new PodTemplateSpecBuilder()
                .withMetadata(Metadata.ofPod(spec, identity, Names.AGENT))
                .withSpec(made)
                .build();
    }

    /** The address at which other nodes reach the agent. */
    static EnvVar podIp() {
        return new EnvVarBuilder()
                .withName(AgentArguments.POD_IP)
                .withNewValueFrom()
                .withNewFieldRef()
                .withFieldPath("status.podIP")
                .endFieldRef()
                .endValueFrom()
                .build();
    }

    private static Container container(ManifestSpec spec, RunIdentity identity) {
        return new ContainerBuilder()
                .withName(spec.form().container())
                .withImage(spec.image())
                .withCommand(spec.agent())
                .withArgs(AgentArguments.of(spec, identity))
                .withEnv(podIp())
                .withResources(spec.resources().requirements())
                .withSecurityContext(Restricted.container())
                .withVolumeMounts(mounts(spec))
                .build();
    }

    /** States are copied to other nodes so that they outlive one. */
    private static TopologySpreadConstraint spread(ManifestSpec spec, RunIdentity identity) {
        return new TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey("kubernetes.io/hostname")
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withNewLabelSelector()
                .withMatchLabels(spec.agentLabels(identity))
                .endLabelSelector()
                .build();
    }

    private static List<VolumeMount> mounts(ManifestSpec spec) {
        List<VolumeMount> mounts = new ArrayList<>();
        mounts.add(mount(TMP, "/tmp"));
        mounts.add(mount(LOGS, AgentArguments.LOG_DIR));
        mounts.add(mount(SHM, "/dev/shm"));
        if (spec.hasKeySecret()) {
            mounts.add(new VolumeMountBuilder()
                    .withName(RUN_KEY)
                    .withMountPath(AgentArguments.KEY_DIR)
                    .withReadOnly(true)
                    .build());
        }
        return mounts;
    }

    private static List<Volume> volumes(ManifestSpec spec) {
        List<Volume> volumes = new ArrayList<>();
        volumes.add(directory(TMP));
        volumes.add(directory(LOGS));
        volumes.add(new VolumeBuilder()
                .withName(SHM)
                .withNewEmptyDir()
                .withMedium("Memory")
                .withSizeLimit(new Quantity(spec.shmSize()))
                .endEmptyDir()
                .build());
        if (spec.hasKeySecret()) {
            volumes.add(new VolumeBuilder()
                    .withName(RUN_KEY)
                    .withNewSecret()
                    .withSecretName(spec.keySecret())
                    .withDefaultMode(KEY_MODE)
                    .endSecret()
                    .build());
        }
        return volumes;
    }

    static VolumeMount mount(String volume, String path) {
        return new VolumeMountBuilder().withName(volume).withMountPath(path).build();
    }

    static Volume directory(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }
}
