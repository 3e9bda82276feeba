/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ManifestsTest {

    @Test
    void job_isWorkQueue_asWideAsTheRun() {
        Job job = job(Jobs.plain());

        assertThat(job.getSpec().getParallelism()).isEqualTo(4);
        assertThat(job.getSpec().getCompletions()).isNull();
        assertThat(job.getSpec().getBackoffLimit()).isEqualTo(24);
        assertThat(job.getSpec().getTtlSecondsAfterFinished()).isEqualTo(3600);
        assertThat(job.getMetadata().getAnnotations())
                .containsEntry(Names.NODES, "2:4")
                .containsEntry(Names.RUN_ID, "xgb-0a1b2c3d");
        assertThat(job.getMetadata().getLabels()).containsEntry(Names.RUN, "xgb-0a1b2c3d");
    }

    @Test
    void pods_drainedOrDisrupted_countAsNoFailure() {
        Job job = job(Jobs.plain());
        List<PodFailurePolicyRule> rules = job.getSpec().getPodFailurePolicy().getRules();

        assertThat(job.getSpec().getPodReplacementPolicy()).isEqualTo("Failed");
        assertThat(podSpec(job).getRestartPolicy()).isEqualTo("Never");
        assertThat(rules).extracting(PodFailurePolicyRule::getAction).containsExactly("Ignore", "Ignore", "FailJob");
        assertThat(rules.get(0).getOnPodConditions().get(0).getType()).isEqualTo("DisruptionTarget");
        assertThat(rules.get(1).getOnExitCodes().getValues()).containsExactly(143);
        assertThat(rules.get(1).getOnExitCodes().getContainerName()).isEqualTo("agent");
        assertThat(rules.get(2).getOnExitCodes().getValues()).containsExactly(2, 6);
    }

    @Test
    void pods_ofTheJob_areRestricted() {
        PodSpec pod = podSpec(job(Jobs.plain()));
        Container container = pod.getContainers().get(0);

        assertThat(pod.getSecurityContext().getRunAsUser()).isEqualTo(65534L);
        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType()).isEqualTo("RuntimeDefault");
        assertThat(pod.getAutomountServiceAccountToken()).isFalse();
        assertThat(pod.getEnableServiceLinks()).isFalse();
        assertThat(container.getSecurityContext().getReadOnlyRootFilesystem()).isTrue();
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getCapabilities().getDrop()).containsExactly("ALL");
    }

    @Test
    void pods_haveWhatAgentsWriteTo() {
        PodSpec pod = podSpec(job(Jobs.plain().with("shm-size", "2Gi")));
        Volume shm = pod.getVolumes().stream()
                .filter(volume -> volume.getName().equals("shm"))
                .findFirst()
                .orElseThrow();

        assertThat(shm.getEmptyDir().getMedium()).isEqualTo("Memory");
        assertThat(shm.getEmptyDir().getSizeLimit()).isEqualTo(new Quantity("2Gi"));
        assertThat(pod.getContainers().get(0).getVolumeMounts())
                .extracting(mount -> mount.getMountPath())
                .containsExactly("/tmp", "/var/log/elastic-run", "/dev/shm", "/etc/elastic-run");
    }

    @Test
    void grace_isLongerThanTheAgents() {
        assertThat(podSpec(job(Jobs.plain())).getTerminationGracePeriodSeconds())
                .isEqualTo(45);
        assertThat(podSpec(job(Jobs.plain().withFlags("--rdzv-endpoint=e", "--shutdown-timeout=2m")))
                        .getTerminationGracePeriodSeconds())
                .isEqualTo(135);
        assertThat(podSpec(job(Jobs.plain().withFlags("--rdzv-endpoint=e", "--shutdown-timeout=1500ms")))
                        .getTerminationGracePeriodSeconds())
                .isEqualTo(17);
    }

    @Test
    void agent_isStartedWith_whatTheSchedulerKnows() {
        Container container = podSpec(job(Jobs.bare()
                        .with("etcd-image", "etcd")
                        .withFlags("--restart-policy=soft", "--env=PRICE=$5 $(POD_IP)")))
                .getContainers()
                .get(0);

        assertThat(container.getCommand()).containsExactly("elastic-run");
        assertThat(container.getArgs())
                .containsExactly(
                        "--nnodes=2:4",
                        "--nproc-per-node=4",
                        "--run-id=xgb-0a1b2c3d",
                        "--once",
                        "--rdzv-endpoint=xgb-etcd:2379",
                        "--first-contact-timeout=300s",
                        "--engine=kubernetes",
                        "--log-dir=/var/log/elastic-run",
                        "--run-key-file=/etc/elastic-run/run-key",
                        "--restart-policy=soft",
                        "--env=PRICE=$$5 $$(POD_IP)",
                        "--",
                        "/app/train.jar",
                        "--rounds",
                        "100");
        assertThat(container.getEnv().get(0).getName()).isEqualTo("POD_IP");
        assertThat(container.getEnv().get(0).getValueFrom().getFieldRef().getFieldPath())
                .isEqualTo("status.podIP");
    }

    @Test
    void flags_ofTheUser_takeThePlaceOfOurs() {
        Jobs job = Jobs.plain()
                .withFlags(
                        "--rdzv-endpoint=e:1",
                        "--run-id=other",
                        "--run-id=mine",
                        "--log-dir=/logs",
                        "--run-key-file=/key");

        assertThat(podSpec(job(job)).getContainers().get(0).getArgs())
                .startsWith("--nnodes=2:4", "--nproc-per-node=4", "--engine=kubernetes", "--rdzv-endpoint=e:1");
        assertThat(job(job).getMetadata().getAnnotations()).containsEntry(Names.RUN_ID, "mine");
        assertThat(Manifests.of(job.spec(), Jobs.IDENTITY)).noneMatch(Secret.class::isInstance);
    }

    @Test
    void workers_areThoseAskedFor_elseOneForEachGpu() {
        assertThat(AgentArguments.workers(Jobs.plain().spec())).isEqualTo("4");
        assertThat(AgentArguments.workers(Jobs.plain().withWorkers(0).spec())).isEqualTo("auto");
        assertThat(AgentArguments.workers(
                        Jobs.plain().withWorkers(0).with("gpus", "8").spec()))
                .isEqualTo("8");
        assertThat(AgentArguments.workers(Jobs.plain()
                        .withWorkers(0)
                        .with("form", "trainjob")
                        .with("ml-policy", "xgboost")
                        .spec()))
                .as("XGBoost without GPUs")
                .isEqualTo("1");
    }

    @Test
    void resources_areRequestsAndLimits() {
        Container container = podSpec(
                        job(Jobs.plain().with("cpu", "2").with("memory", "4Gi").with("gpus", "1")))
                .getContainers()
                .get(0);
        Map<String, Quantity> expected =
                Map.of("cpu", new Quantity("2"), "memory", new Quantity("4Gi"), "nvidia.com/gpu", new Quantity("1"));

        assertThat(container.getResources().getRequests()).isEqualTo(expected);
        assertThat(container.getResources().getLimits()).isEqualTo(expected);
    }

    @Test
    void placement_isInThePods() {
        PodSpec pod = podSpec(job(Jobs.plain()
                .with("node-selector", "pool=gpu,zone=")
                .with("tolerations", "gpu=yes:NoSchedule,spot,*:NoExecute")
                .with("pull-secret", "registry")
                .with("service-account", "trainer")
                .with("priority-class", "batch")));

        assertThat(pod.getNodeSelector()).containsExactlyInAnyOrderEntriesOf(Map.of("pool", "gpu", "zone", ""));
        assertThat(pod.getTolerations())
                .containsExactly(
                        new Toleration("NoSchedule", "gpu", "Equal", null, "yes"),
                        new Toleration(null, "spot", "Exists", null, null),
                        new Toleration("NoExecute", null, "Exists", null, null));
        assertThat(pod.getImagePullSecrets().get(0).getName()).isEqualTo("registry");
        assertThat(pod.getServiceAccountName()).isEqualTo("trainer");
        assertThat(pod.getPriorityClassName()).isEqualTo("batch");
    }

    @Test
    void network_letsOnlyAgentsIn() {
        List<NetworkPolicy> policies =
                of(Jobs.bare().with("etcd-image", "etcd"), NetworkPolicy.class).toList();
        Map<String, String> agents = Map.of(Names.RUN, "xgb-0a1b2c3d", Names.COMPONENT, "agent");

        assertThat(policies).hasSize(2).allSatisfy(policy -> {
            assertThat(policy.getSpec().getPolicyTypes()).containsExactly("Ingress");
            assertThat(policy.getSpec().getIngress()).hasSize(1);
            assertThat(policy.getSpec()
                            .getIngress()
                            .get(0)
                            .getFrom()
                            .get(0)
                            .getPodSelector()
                            .getMatchLabels())
                    .isEqualTo(agents);
        });
        assertThat(policies.get(0).getSpec().getPodSelector().getMatchLabels()).isEqualTo(agents);
        assertThat(policies.get(1).getSpec().getPodSelector().getMatchLabels()).containsEntry(Names.COMPONENT, "etcd");
    }

    @Test
    void service_namesPodsThatAreNotReady() {
        Service service = of(Jobs.plain(), Service.class).findFirst().orElseThrow();

        assertThat(service.getSpec().getClusterIP()).isEqualTo("None");
        assertThat(service.getSpec().getPublishNotReadyAddresses()).isTrue();
    }

    @Test
    void etcd_withStorage_keepsItsData() {
        StatefulSet set = of(Jobs.bare().with("etcd-image", "etcd").with("etcd-storage", "1Gi"), StatefulSet.class)
                .findFirst()
                .orElseThrow();
        Container container =
                set.getSpec().getTemplate().getSpec().getContainers().get(0);

        assertThat(set.getSpec().getServiceName()).isEqualTo("xgb-etcd");
        assertThat(container.getReadinessProbe().getHttpGet().getPath()).isEqualTo("/health");
        assertThat(set.getSpec().getVolumeClaimTemplates()).hasSize(1);
        assertThat(set.getSpec().getTemplate().getSpec().getVolumes())
                .extracting(Volume::getName)
                .containsExactly("tmp");
    }

    @Test
    void names_ofTheCluster_areLeftToIt_withoutNamespace() {
        assertThat(Manifests.of(Jobs.plain().spec(), Jobs.IDENTITY))
                .allSatisfy(
                        item -> assertThat(item.getMetadata().getNamespace()).isNull());
        assertThat(Manifests.of(Jobs.plain().with("namespace", "training").spec(), Jobs.IDENTITY))
                .allSatisfy(
                        item -> assertThat(item.getMetadata().getNamespace()).isEqualTo("training"));
    }

    @Test
    void jobSet_startsAgents_whenEtcdIsReady() {
        GenericKubernetesResource set =
                custom(Jobs.bare().with("etcd-image", "etcd").with("form", "jobset"), "JobSet");
        String text = ManifestYaml.text(List.of(set));

        assertThat(text).contains("dependsOn:", "status: \"Ready\"", "completionMode: \"NonIndexed\"");
        assertThat(text).contains("--rdzv-endpoint=xgb-etcd-0-0.xgb:2379", "targetReplicatedJobs:");
        assertThat(ClusterJob.indexOf(set, Names.NODE)).isEqualTo(1);
    }

    @Test
    void trainJob_hasRuntimeOfItsOwn() {
        Jobs job = Jobs.plain().with("form", "trainjob").with("ml-policy", "xgboost");
        String runtime = ManifestYaml.text(List.of(custom(job, "ClusterTrainingRuntime")));
        String trainJob = ManifestYaml.text(List.of(custom(job, "TrainJob")));

        assertThat(runtime)
                .contains("name: \"xgb-0a1b2c3d\"", "xgboost: {}", "numNodes: 4")
                .contains("trainer.kubeflow.org/trainjob-ancestor-step: \"trainer\"", "name: \"node\"");
        assertThat(trainJob)
                .contains("runtimeRef:", "name: \"xgb-0a1b2c3d\"", "--nnodes=2:4")
                .doesNotContain("numProcPerNode");
        assertThat(ManifestYaml.text(List.of(custom(Jobs.plain().with("form", "trainjob"), "TrainJob"))))
                .contains("numProcPerNode: 4");
    }

    @Test
    void trainJob_withXgboostPolicy_hasTheRuntime() {
        Jobs job = Jobs.plain().with("form", "trainjob");

        assertThat(arguments(job.with("ml-policy", "xgboost"))).contains("--runtime=xgboost");
        assertThat(arguments(job.with("ml-policy", "xgboost")
                        .withFlags("--rdzv-endpoint=e", "--runtime=xgboost:own-tracker")))
                .contains("--runtime=xgboost:own-tracker")
                .doesNotContain("--runtime=xgboost");
        assertThat(arguments(job))
                .noneMatch(argument -> String.valueOf(argument).startsWith("--runtime"));
    }

    @Test
    void trainJob_withRuntimeOfTheCluster_isAlone() {
        Jobs job = Jobs.plain()
                .with("form", "trainjob")
                .with("runtime", "xgboost-distributed")
                .with("gpus", "4");
        String text = ManifestYaml.text(List.of(custom(job, "TrainJob")));

        assertThat(Manifests.of(job.spec(), Jobs.IDENTITY))
                .extracting(HasMetadata::getKind)
                .containsExactly("NetworkPolicy", "TrainJob");
        assertThat(text)
                .contains("name: \"xgboost-distributed\"", "POD_IP", "nvidia.com/gpu: \"4\"")
                .doesNotContain("--log-dir", "--run-key-file");
    }

    private static List<Object> arguments(Jobs job) {
        Map<String, Object> trainJob = StrictManifests.documents(ManifestYaml.text(List.of(custom(job, "TrainJob"))))
                .get(0);
        return trainJob.get("spec") instanceof Map<?, ?> spec
                        && spec.get("trainer") instanceof Map<?, ?> trainer
                        && trainer.get("args") instanceof List<?> words
                ? List.copyOf(words)
                : List.of();
    }

    private static Job job(Jobs job) {
        return of(job, Job.class).findFirst().orElseThrow();
    }

    private static PodSpec podSpec(Job job) {
        return job.getSpec().getTemplate().getSpec();
    }

    private static GenericKubernetesResource custom(Jobs job, String kind) {
        return of(job, GenericKubernetesResource.class)
                .filter(item -> item.getKind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    private static <T extends HasMetadata> Stream<T> of(Jobs job, Class<T> type) {
        return Manifests.of(job.spec(), Jobs.IDENTITY).stream()
                .filter(type::isInstance)
                .map(type::cast);
    }
}
