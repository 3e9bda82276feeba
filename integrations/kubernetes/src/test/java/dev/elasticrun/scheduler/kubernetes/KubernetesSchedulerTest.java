/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import dev.elasticrun.scheduler.SchedulerException;
import dev.elasticrun.scheduler.SubmittedJob;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.EventListBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is asked of the API server: a simulated one, which stores and answers, and starts no pods. */
@EnableKubernetesMockClient(https = false, crud = true)
@Timeout(60)
@SuppressWarnings("NullAway.Init")
@Tag("once")
final class KubernetesSchedulerTest {
    private static final String NAMESPACE = "test";

    private KubernetesMockServer server;
    private KubernetesClient client;

    private final AtomicInteger submissions = new AtomicInteger();
    private final KubernetesScheduler scheduler = new KubernetesScheduler(
            () -> client, job -> new RunIdentity(job + "-" + submissions.incrementAndGet(), "a2V5"));

    @Test
    void submit_job_isThereWithWhatItOwns() {
        SubmittedJob submitted = scheduler.submit(ownEtcd().job());
        Job job = job();

        assertThat(submitted.id()).isEqualTo("test/xgb");
        assertThat(submitted.remarks()).singleElement().asString().contains("etcd-storage");
        assertThat(job.getSpec().getParallelism()).isEqualTo(4);
        assertThat(leftovers()).isEqualTo(7);
        Secret key =
                client.secrets().inNamespace(NAMESPACE).withName("xgb-run-key").get();
        assertThat(key.getMetadata().getOwnerReferences()).singleElement().satisfies(owner -> {
            assertThat(owner.getKind()).isEqualTo("Job");
            assertThat(owner.getUid()).isEqualTo(job.getMetadata().getUid());
        });
    }

    @Test
    void submit_thatTheServerRefuses_leavesNothing() {
        server.expect()
                .post()
                .withPath("/apis/batch/v1/namespaces/test/jobs")
                .andReturn(403, refusal("jobs.batch \"xgb\" is forbidden: exceeded quota: compute"))
                .once();

        assertThatThrownBy(() -> scheduler.submit(ownEtcd().job()))
                .isInstanceOf(SchedulerException.class)
                .hasMessage("Job xgb in namespace test: jobs.batch \"xgb\" is forbidden: exceeded quota: compute");
        assertThat(leftovers()).isZero();
    }

    @Test
    void submit_thatCannotBeUndone_namesTheCommand() {
        server.expect()
                .post()
                .withPath("/apis/batch/v1/namespaces/test/jobs")
                .andReturn(403, refusal("no jobs here"))
                .once();
        server.expect()
                .delete()
                .withPath("/api/v1/namespaces/test/secrets/xgb-run-key")
                .andReturn(403, refusal("secrets stay"))
                .always();

        SchedulerException failure = catchThrowableOfType(
                SchedulerException.class, () -> scheduler.submit(ownEtcd().job()));

        assertThat(failure.lines())
                .containsExactly(
                        "Job xgb in namespace test: no jobs here",
                        "left in the cluster, removed by: kubectl delete --namespace test --ignore-not-found"
                                + " secret/xgb-run-key");
        assertThat(leftovers()).isEqualTo(1);
    }

    @Test
    void submit_ofANameThatExists_changesNothing() {
        scheduler.submit(ownEtcd().job());
        int before = leftovers();

        assertThatThrownBy(() -> scheduler.submit(ownEtcd().job()))
                .isInstanceOf(SchedulerException.class)
                .hasMessageContaining("already exists");
        assertThat(leftovers()).isEqualTo(before);
        assertThat(job().getMetadata().getLabels()).containsEntry(Names.RUN, "xgb-1");
    }

    @Test
    void list_hasJobsThatGoOn_theNewestFirst() {
        scheduler.submit(Jobs.plain().named("a"));
        scheduler.submit(Jobs.plain().with("form", "jobset").named("b"));
        scheduler.submit(Jobs.plain().with("form", "trainjob").named("c"));
        scheduler.submit(Jobs.plain().named("d"));
        end("d", "Complete");

        assertThat(scheduler.list()).extracting(JobSummary::id).containsExactlyInAnyOrder("test/a", "test/b", "test/c");
        assertThat(scheduler.list()).allSatisfy(job -> assertThat(job.wanted()).isEqualTo(4));
    }

    @Test
    void status_hasPods_andWhyThereAreNoMore() {
        scheduler.submit(Jobs.plain().job());
        pod("xgb-a", "Running");
        pod("xgb-b", "Succeeded");
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/events?fieldSelector=involvedObject.name%3Dxgb")
                .andReturn(
                        200,
                        new EventListBuilder()
                                .addToItems(new EventBuilder()
                                        .withReason("FailedCreate")
                                        .withMessage("exceeded quota: compute")
                                        .withLastTimestamp("2026-01-01T00:00:00Z")
                                        .build())
                                .build())
                .once();

        JobStatus status = scheduler.status("test/xgb");

        assertThat(status.runId()).isEqualTo("xgb-1");
        assertThat(status.job()).isEqualTo(new JobSummary("test/xgb", "xgb", "Running", 1, 4));
        assertThat(status.parts()).extracting(JobStatus.Part::id).containsExactly("xgb-a", "xgb-b", "");
        assertThat(status.parts().get(2).reason()).isEqualTo("exceeded quota: compute");
    }

    @Test
    void status_ofWhatIsNotOurs_isRefused() {
        assertThatThrownBy(() -> scheduler.status("test/nothing"))
                .isInstanceOf(SchedulerException.class)
                .hasMessageStartingWith("id: test/nothing (expected: a Job, JobSet or TrainJob that elastic-run");
        assertThatThrownBy(() -> scheduler.status("xgb"))
                .hasMessage("id: xgb (expected: NAMESPACE/NAME, such as default/xgb)");
    }

    @Test
    void scale_withinTheBounds_changesParallelism() {
        scheduler.submit(Jobs.plain().job());

        assertThat(scheduler.scale("test/xgb", 2)).contains("2 nodes", "before: 4", "2:4");
        assertThat(job().getSpec().getParallelism()).isEqualTo(2);
    }

    @Test
    void scale_outOfTheBounds_isRefused() {
        scheduler.submit(Jobs.plain().job());

        assertThatThrownBy(() -> scheduler.scale("test/xgb", 5))
                .hasMessage("nodes: 5 (expected: 2:4, with which the job was submitted)");
        assertThatThrownBy(() -> scheduler.scale("test/xgb", 1)).hasMessageStartingWith("nodes: 1");
        assertThat(job().getSpec().getParallelism()).isEqualTo(4);
    }

    @Test
    void scale_whereTheBoundsWereChanged_namesThem() {
        scheduler.submit(Jobs.plain().job());
        Job job = job();
        job.getMetadata().getAnnotations().put(Names.NODES, "many");
        client.resource(job).inNamespace(NAMESPACE).update();

        assertThatThrownBy(() -> scheduler.scale("test/xgb", 3))
                .hasMessageStartingWith("annotation elasticrun.dev/nnodes: 'many' (expected: MIN:MAX");
    }

    @Test
    void scale_ofAJobThatHasEnded_isRefused() {
        scheduler.submit(Jobs.plain().job());
        end("xgb", "Failed");

        assertThatThrownBy(() -> scheduler.scale("test/xgb", 3)).hasMessageContaining("it is Failed");
    }

    @Test
    void scale_ofAJobSet_changesTheAgentsJob() {
        scheduler.submit(ownEtcd().with("form", "jobset").job());

        scheduler.scale("test/xgb", 3);

        assertThat(scheduler.status("test/xgb").job().wanted()).isEqualTo(3);
    }

    @Test
    void scale_ofATrainJob_isRefused() {
        scheduler.submit(Jobs.plain().with("form", "trainjob").job());

        assertThatThrownBy(() -> scheduler.scale("test/xgb", 3)).hasMessageContaining("a Job or a JobSet");
    }

    @Test
    void cancel_job_takesAllThatBelongsToIt() {
        scheduler.submit(ownEtcd().with("etcd-storage", "1Gi").job());

        scheduler.cancel("test/xgb");

        assertThat(leftovers()).isZero();
        assertThatThrownBy(() -> scheduler.cancel("test/xgb")).hasMessageStartingWith("id: test/xgb");
    }

    @Test
    void cancel_trainJob_takesItsRuntime() {
        SubmittedJob submitted =
                scheduler.submit(ownEtcd().with("form", "trainjob").job());
        assertThat(submitted.remarks())
                .anySatisfy(remark -> assertThat(remark).startsWith("ClusterTrainingRuntime xgb-1"));
        assertThat(runtimes()).hasSize(1);

        scheduler.cancel("test/xgb");

        assertThat(runtimes()).isEmpty();
        assertThat(leftovers()).isZero();
        assertThat(scheduler.list()).isEmpty();
    }

    @Test
    void cancel_trainJob_leavesARuntimeOfTheCluster() {
        scheduler.submit(Jobs.plain()
                .with("form", "trainjob")
                .with("runtime", "xgboost-distributed")
                .job());
        server.expect()
                .delete()
                .withPath("/apis/trainer.kubeflow.org/v1alpha1/clustertrainingruntimes/xgb-1")
                .andReturn(403, refusal("not yours"))
                .always();

        scheduler.cancel("test/xgb");

        assertThat(leftovers()).isZero();
        assertThat(scheduler.list()).isEmpty();
    }

    @Test
    void logs_ofAllPods_haveTheirNames() {
        scheduler.submit(Jobs.plain().job());
        pod("xgb-a", "Succeeded");
        pod("xgb-b", "Succeeded");
        pod("xgb-c", "Pending");
        log("xgb-a", "", "first\nsecond\n");
        log("xgb-b", "", "third");
        List<String> lines = new ArrayList<>();

        scheduler.logs("test/xgb", false, lines::add);

        assertThat(lines).containsExactly("[xgb-a] first", "[xgb-a] second", "[xgb-b] third");
    }

    @Test
    void logs_thatAreFollowed_endWithTheJob() {
        scheduler.submit(Jobs.plain().job());
        pod("xgb-a", "Succeeded");
        pod("xgb-b", "Succeeded");
        log("xgb-a", "&follow=true", "first\nsecond\n");
        log("xgb-b", "&follow=true", "third\n");
        end("xgb", "Complete");
        List<String> lines = new ArrayList<>();

        scheduler.logs("test/xgb", true, lines::add);

        assertThat(lines).containsExactlyInAnyOrder("[xgb-a] first", "[xgb-a] second", "[xgb-b] third");
    }

    private static Jobs ownEtcd() {
        return Jobs.bare().with("etcd-image", "etcd");
    }

    private static Status refusal(String words) {
        return new StatusBuilder()
                .withStatus("Failure")
                .withCode(403)
                .withMessage(words)
                .build();
    }

    private Job job() {
        return client.batch().v1().jobs().inNamespace(NAMESPACE).withName("xgb").get();
    }

    private void end(String name, String condition) {
        Job job =
                client.batch().v1().jobs().inNamespace(NAMESPACE).withName(name).get();
        job.setStatus(new JobStatusBuilder()
                .addNewCondition()
                .withType(condition)
                .withStatus("True")
                .endCondition()
                .build());
        client.resource(job).inNamespace(NAMESPACE).updateStatus();
    }

    private void pod(String name, String phase) {
        Pod pod = client.resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withLabels(Map.of(Names.RUN, "xgb-1", Names.COMPONENT, Names.AGENT))
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("host-1")
                        .addNewContainer()
                        .withName(Names.AGENT)
                        .endContainer()
                        .endSpec()
                        .build())
                .inNamespace(NAMESPACE)
                .create();
        pod.setStatus(status(phase));
        client.resource(pod).inNamespace(NAMESPACE).updateStatus();
    }

    private static PodStatus status(String phase) {
        PodStatusBuilder status = new PodStatusBuilder().withPhase(phase);
        return switch (phase) {
            case "Running" ->
                status.addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .addNewContainerStatus()
                        .withNewState()
                        .withNewRunning()
                        .endRunning()
                        .endState()
                        .endContainerStatus()
                        .build();
            case "Succeeded" ->
                status.addNewContainerStatus()
                        .withNewState()
                        .withNewTerminated()
                        .withExitCode(0)
                        .endTerminated()
                        .endState()
                        .endContainerStatus()
                        .build();
            default -> status.build();
        };
    }

    private void log(String pod, String more, String text) {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/test/pods/" + pod + "/log?pretty=false&container=agent" + more)
                .andReturn(200, text)
                .once();
    }

    private List<GenericKubernetesResource> runtimes() {
        return client.genericKubernetesResources(CustomKind.CLUSTER_TRAINING_RUNTIME.context())
                .list()
                .getItems();
    }

    /** Objects of any submission in the namespace, but for jobs of the other forms. */
    private int leftovers() {
        return client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems()
                        .size()
                + client.secrets().inNamespace(NAMESPACE).list().getItems().size()
                + client.services().inNamespace(NAMESPACE).list().getItems().size()
                + client.apps()
                        .statefulSets()
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems()
                        .size()
                + client.network()
                        .v1()
                        .networkPolicies()
                        .inNamespace(NAMESPACE)
                        .list()
                        .getItems()
                        .size();
    }
}
