/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.Boosted;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.KubernetesCluster;
import dev.elasticrun.samples.testing.KubernetesJob;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.ProcessKubelet;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.StudyRun;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.samples.testing.Trained;
import dev.elasticrun.testing.Patience;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a real control plane: what it takes and gives back is a change of the world, and no healthy worker ends. */
@Tag("kubernetes")
@Timeout(240)
final class KubernetesE2E {
    private static final int NODES = 3;
    /** Of boosting: half a minute, unless they are hurried. */
    private static final int ROUNDS = 300;

    private static final String ALL_TOGETHER = "--last-call-timeout=60s";

    @TempDir
    private static Path directory;

    @AutoClose
    private static KubernetesCluster cluster;

    @RegisterExtension
    final TestRun run = new TestRun();

    @BeforeAll
    @Timeout(3600)
    static void start() {
        cluster = KubernetesCluster.start(directory);
    }

    @AfterEach
    void endJobs() {
        cluster.endJobs();
    }

    @Test
    void train_podIsEvicted_andReplaced_scaledDownAndUp_othersStay_resultIsTheSame() {
        KubernetesJob job = job("evicted", ALL_TOGETHER);
        job.submit(run.training());
        NodeLogs logs = job.logs();
        long round = logs.awaitTogether(0, NODES);
        Map<String, List<Long>> whole = logs.workers();
        assertThat(job.command("list", "kubernetes://").output()).contains(job.id(), "Running", "3 of 3");
        assertThat(statusOfTheRun(job)).contains("encryption on");

        String victim = job.pods().get(0).getMetadata().getName();
        cluster.evict(job.pods().get(0));
        round = logs.awaitTogether(round, NODES);
        assertThat(job.parts("id")).hasSize(NODES).doesNotContain(victim);
        Map<String, List<Long>> replaced = logs.workers();
        assertThat(NodeLogs.kept(whole, replaced)).isEqualTo(NODES - 1);

        assertThat(job.command("scale", job.id(), "2").output()).contains("2 nodes are wanted");
        round = logs.awaitTogether(round, 2);
        Map<String, List<Long>> fewer = logs.workers();
        assertThat(replaced).containsAllEntriesOf(fewer);

        assertThat(job.command("scale", job.id(), "3").output()).contains("3 nodes are wanted");
        logs.awaitTogether(round, NODES);
        assertThat(logs.workers()).containsAllEntriesOf(fewer);

        run.hurryUp();
        job.awaitState("Complete");
        assertThat(job.parts("state")).containsExactly("Succeeded", "Succeeded", "Succeeded");
        Recoveries.assertTrained(Trained.in(logs.workerOutputs().stream()));
        assertThat(job.command("logs", job.id()).output())
                .contains(job.parts("id").stream().map(pod -> "[" + pod + "] ").toList());
        assertThat(job.command("list", "kubernetes://").output()).doesNotContain(job.id());
        assertEndsWithout(job);
    }

    @Test
    void train_podIsLost_andReplaced_othersStay_thenCancelled_nothingIsLeft() {
        KubernetesJob job = job("killed", ALL_TOGETHER);
        job.submit(run.training());
        NodeLogs logs = job.logs();
        long round = logs.awaitTogether(0, NODES);
        Map<String, List<Long>> whole = logs.workers();

        Pod victim = job.pods().get(NODES - 1);
        cluster.kubelet().lose(victim);
        logs.awaitTogether(round, NODES);
        assertThat(job.parts("reason")).filteredOn(reason -> !reason.isEmpty()).containsExactly("exit code 137");
        assertThat(job.parts("state"))
                .filteredOn("Running"::equals)
                .as("pods that run")
                .hasSize(NODES);
        assertThat(NodeLogs.kept(whole, logs.workers())).isEqualTo(NODES - 1);

        assertEndsWithout(job);
    }

    @Test
    void boost_podIsEvicted_andReplaced_allRanksHaveOneModel() {
        KubernetesJob job = job("boosted", ALL_TOGETHER, "--runtime", "xgboost");
        job.submit(run.boosting(ROUNDS));
        NodeLogs logs = job.logs();
        long round = logs.awaitTogether(0, NODES);

        cluster.evict(job.pods().get(0));
        logs.awaitTogether(round, NODES);

        run.hurryUp();
        job.awaitState("Complete");
        assertThat(Boosted.in(logs.workerOutputs().stream()))
                .singleElement()
                .satisfies(boosted -> assertThat(boosted.rounds()).isEqualTo(ROUNDS));
        assertThat(Boosted.modelsIn(logs.workerOutputs().stream())).hasSize(NODES);
        assertThat(Set.copyOf(Boosted.modelsIn(logs.workerOutputs().stream()))).hasSize(1);
        assertEndsWithout(job);
    }

    @Test
    void submit_imageThatIsNotThere_isNamedByStatus() {
        KubernetesJob job = new KubernetesJob(
                cluster, "image", "1:2", List.of("--rdzv-endpoint", run.etcd().endpoint()), "none.example/train:1");
        job.submit(List.of("true"));

        job.awaitPart("reason", "ErrImagePull: none.example/train:1: there is no such image");

        assertEndsWithout(job);
    }

    @Test
    void submit_moreThanAQuota_runsWithFewerNodes_statusHasTheReason() {
        KubernetesJob job = job("quota", "--last-call-timeout", "1s");
        cluster.client()
                .resource(new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withName("two")
                        .withNamespace(job.namespace())
                        .endMetadata()
                        .withNewSpec()
                        .addToHard("pods", new Quantity("2"))
                        .endSpec()
                        .build())
                .create();
        Patience.until("quota", TestRun.LIMIT, () -> quotaIsCounted(job.namespace()), cluster::logs);
        job.submit(run.training());

        job.logs().awaitTogether(0, 2);
        assertThat(job.parts("reason")).anyMatch(reason -> reason.contains("exceeded quota: two"));

        assertEndsWithout(job);
    }

    /** The manifest of the samples: a pod is evicted, another one lost, while their agents work for trials. */
    @Test
    void study_withAgentsInPods_oneIsEvicted_anotherLost_noTrialIsLost() throws IOException {
        cluster.makeNamespace(run.id());
        try (StudyRun study = new StudyRun(run)) {
            study.writeForAPool();
            List<String> store = study.onEtcd();
            Deployment pool = pool(store.get(3));
            Patience.until(
                    NODES + " pods",
                    TestRun.LIMIT,
                    () -> podsOfThePool().size() == NODES
                            && podsOfThePool().stream()
                                    .allMatch(pod -> pod.getStatus().getPhase().equals("Running")),
                    () -> podsOfThePool() + cluster.logs());
            study.drive(study.pooled(store));
            study.awaitOutput("trial 2/8 begins");

            List<Pod> pods = podsOfThePool();
            cluster.evict(pods.get(0));
            study.awaitOutput("trial 4/8 begins");
            cluster.kubelet().lose(pods.get(NODES - 1));

            study.assertNoTrialIsLost(cluster::logs);
            cluster.client()
                    .resource(pool)
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete();
            Patience.until(
                    "end of all pods",
                    TestRun.LIMIT,
                    () -> podsOfThePool().isEmpty()
                            && cluster.kubelet().processes(run.id()).isEmpty(),
                    cluster::logs);
        }
    }

    private List<Pod> podsOfThePool() {
        return cluster.pods(run.id(), "app", "pool");
    }

    /** As the manifest of the samples has it, with the names of this test. */
    private Deployment pool(String keyFile) throws IOException {
        cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("pool-key")
                        .withNamespace(run.id())
                        .endMetadata()
                        .addToData("pool.key", Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(keyFile))))
                        .build())
                .create();
        String manifest = Files.readString(Project.ROOT.resolve("samples/studies/pool-on-kubernetes.yaml"))
                .replace("registry.example/train:1", ProcessKubelet.IMAGE)
                .replace("replicas: 4", "replicas: " + NODES)
                .replace("- nightly", "- " + run.id())
                .replace("- etcd:2379", "- " + run.etcd().endpoint());
        Deployment pool = Serialization.unmarshal(manifest, Deployment.class);
        pool.getMetadata().setNamespace(run.id());
        return cluster.client().resource(pool).create();
    }

    private static boolean quotaIsCounted(String namespace) {
        return cluster.client().resourceQuotas().inNamespace(namespace).list().getItems().stream()
                .allMatch(
                        quota -> quota.getStatus() != null && quota.getStatus().getUsed() != null);
    }

    /**
     * 1 to 3 agents with a worker each, over the etcd of the run.
     *
     * @param more flags of the agents
     */
    private KubernetesJob job(String name, String... more) {
        List<String> flags = new ArrayList<>(List.of(
                "--nproc-per-node",
                "1",
                "--rdzv-endpoint",
                run.etcd().endpoint(),
                "--restart-policy",
                "soft",
                "--lease-ttl",
                "10s",
                // At more than a loopback address: so agents encrypt, as they do in pods with addresses of their own.
                "--bind-addr",
                "0.0.0.0"));
        flags.addAll(List.of(more));
        return new KubernetesJob(cluster, name, "1:" + NODES, flags, ProcessKubelet.IMAGE);
    }

    /** As it is asked for in a pod. */
    private String statusOfTheRun(KubernetesJob job) {
        Path key = cluster.kubelet()
                .volumes(job.namespace(), "run-key")
                .resolve(job.pods().get(0).getMetadata().getName())
                .resolve("run-key");
        return job.command(
                        "status",
                        "--rdzv-endpoint",
                        run.etcd().endpoint(),
                        "--run-id",
                        job.runId(),
                        "--run-key-file",
                        key.toString())
                .output();
    }

    /** Cancels it, and waits until nothing is left of it: in the cluster, among the processes, and in the store. */
    private void assertEndsWithout(KubernetesJob job) {
        String keys = "/elastic-run/v1/" + job.runId() + "/";
        Command.Result cancelled = job.command("cancel", job.id());
        assertThat(cancelled.exitCode()).as(cancelled.output()).isZero();
        cluster.awaitNothingLeft(job.namespace());
        assertThat(run.etcd().ctl("get", "--prefix", "--keys-only", keys).lines())
                .filteredOn(key -> !key.isBlank() && !key.startsWith(keys + "verdict"))
                .isEmpty();
        assertThat(job.command("status", job.id()).exitCode()).isEqualTo(2);
    }
}
