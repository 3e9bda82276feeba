/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ContainerResource;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls the API server. Methods throw {@link KubernetesClientException} when it does not answer, or refuses. */
final class Cluster implements AutoCloseable {
    private final KubernetesClient client;

    Cluster(KubernetesClient client) {
        this.client = client;
    }

    /** That of the kubeconfig's context. */
    String namespace() {
        String namespace = client.getNamespace();
        return namespace == null || namespace.isEmpty() ? "default" : namespace;
    }

    String address() {
        return String.valueOf(client.getMasterUrl());
    }

    /** What the server made of it. */
    HasMetadata create(HasMetadata item, String namespace) {
        return on(item, namespace).create();
    }

    /** Empty = there is none of its kind and name. */
    Optional<HasMetadata> get(HasMetadata item, String namespace) {
        return Optional.ofNullable(on(item, namespace).get());
    }

    /** What it owns is deleted by the cluster, later. Does nothing if there is none. */
    void delete(HasMetadata item, String namespace) {
        on(item, namespace)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
    }

    void setOwner(HasMetadata item, HasMetadata owner, String namespace) {
        on(item, namespace).patch(PatchContext.of(PatchType.JSON_MERGE), Patches.owner(owner));
    }

    /** Jobs of all forms that elastic-run submitted. */
    List<ClusterJob> jobs(String namespace) {
        List<ClusterJob> all = new ArrayList<>();
        client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withLabel(Names.MANAGED_BY, Names.ELASTIC_RUN)
                .list()
                .getItems()
                .forEach(job -> all.add(ClusterJob.of(job)));
        custom(CustomKind.JOBSET, namespace).forEach(set -> all.add(ClusterJob.of(Form.JOBSET, set)));
        custom(CustomKind.TRAINJOB, namespace).forEach(job -> all.add(ClusterJob.of(Form.TRAINJOB, job)));
        return all;
    }

    /** Empty = no job that elastic-run submitted has that id. */
    Optional<ClusterJob> job(JobId id) {
        Job job = client.batch()
                .v1()
                .jobs()
                .inNamespace(id.namespace())
                .withName(id.name())
                .get();
        if (job != null && isOurs(job)) {
            return Optional.of(ClusterJob.of(job));
        }
        return custom(CustomKind.JOBSET, id)
                .map(set -> ClusterJob.of(Form.JOBSET, set))
                .or(() -> custom(CustomKind.TRAINJOB, id).map(train -> ClusterJob.of(Form.TRAINJOB, train)));
    }

    /** The agents' pods, the oldest first. */
    List<Pod> pods(ClusterJob job) {
        return client.pods().inNamespace(job.id().namespace()).withLabels(job.podLabels()).list().getItems().stream()
                .sorted(Comparator.comparing(
                                (Pod pod) -> String.valueOf(pod.getMetadata().getCreationTimestamp()))
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    /** Why the cluster makes fewer pods than it is asked for, in its own words; empty = it gives none. */
    Optional<String> whyNoPods(ClusterJob job) {
        return client
                .v1()
                .events()
                .inNamespace(job.id().namespace())
                .withField("involvedObject.name", job.form().jobName(job.id().name()))
                .list()
                .getItems()
                .stream()
                .filter(event -> "FailedCreate".equals(event.getReason()) && event.getMessage() != null)
                .max(Comparator.comparing((Event event) -> String.valueOf(event.getLastTimestamp())))
                .map(Event::getMessage);
    }

    ContainerResource agentOf(ClusterJob job, String pod) {
        return client.pods()
                .inNamespace(job.id().namespace())
                .withName(pod)
                .inContainer(job.form().container());
    }

    /** Of a Job or a JobSet. */
    void setParallelism(ClusterJob job, int nodes) {
        JobId id = job.id();
        if (job.form() == Form.JOB) {
            client.batch()
                    .v1()
                    .jobs()
                    .inNamespace(id.namespace())
                    .withName(id.name())
                    .patch(PatchContext.of(PatchType.JSON_MERGE), Patches.parallelism(nodes));
            return;
        }
        Resource<GenericKubernetesResource> set = resource(CustomKind.JOBSET, id);
        GenericKubernetesResource found = set.get();
        if (found != null) {
            int index = ClusterJob.indexOf(found, Names.NODE);
            set.patch(PatchContext.of(PatchType.JSON), Patches.parallelism(index, nodes));
        }
    }

    /** Ends a job: what stands for it first, so that its agents leave, then what belongs to it. */
    void delete(ClusterJob job) {
        JobId id = job.id();
        String namespace = id.namespace();
        switch (job.form()) {
            case JOB ->
                client.batch()
                        .v1()
                        .jobs()
                        .inNamespace(namespace)
                        .withName(id.name())
                        .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                        .delete();
            case JOBSET -> delete(resource(CustomKind.JOBSET, id));
            case TRAINJOB -> {
                delete(resource(CustomKind.TRAINJOB, id));
                if (job.ownsRuntime()) {
                    delete(client.genericKubernetesResources(CustomKind.CLUSTER_TRAINING_RUNTIME.context())
                            .withName(job.runtime()));
                }
            }
        }
        List<HasMetadata> rest = new ArrayList<>();
        rest.addAll(client.apps()
                .statefulSets()
                .inNamespace(namespace)
                .withLabel(Names.RUN, job.run())
                .list()
                .getItems());
        rest.addAll(client.services()
                .inNamespace(namespace)
                .withLabel(Names.RUN, job.run())
                .list()
                .getItems());
        rest.addAll(client.secrets()
                .inNamespace(namespace)
                .withLabel(Names.RUN, job.run())
                .list()
                .getItems());
        rest.addAll(client.network()
                .v1()
                .networkPolicies()
                .inNamespace(namespace)
                .withLabel(Names.RUN, job.run())
                .list()
                .getItems());
        rest.forEach(item -> delete(item, namespace));
    }

    @Override
    public void close() {
        client.close();
    }

    private static void delete(Resource<GenericKubernetesResource> resource) {
        resource.withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
    }

    private static boolean isOurs(HasMetadata item) {
        Map<String, String> labels = item.getMetadata().getLabels();
        return labels != null && Names.ELASTIC_RUN.equals(labels.get(Names.MANAGED_BY));
    }

    private Resource<GenericKubernetesResource> resource(CustomKind kind, JobId id) {
        return client.genericKubernetesResources(kind.context())
                .inNamespace(id.namespace())
                .withName(id.name());
    }

    private Optional<GenericKubernetesResource> custom(CustomKind kind, JobId id) {
        return Optional.ofNullable(resource(kind, id).get()).filter(Cluster::isOurs);
    }

    /** None where the kind is not installed, or may not be listed. */
    private List<GenericKubernetesResource> custom(CustomKind kind, String namespace) {
        try {
            return client.genericKubernetesResources(kind.context())
                    .inNamespace(namespace)
                    .withLabel(Names.MANAGED_BY, Names.ELASTIC_RUN)
                    .list()
                    .getItems();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND || e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
                return List.of();
            }
            throw e;
        }
    }

    private Resource<? extends HasMetadata> on(HasMetadata item, String namespace) {
        if (item instanceof GenericKubernetesResource custom) {
            CustomKind kind = CustomKind.of(custom.getKind());
            return kind.isNamespaced()
                    ? client.genericKubernetesResources(kind.context())
                            .inNamespace(namespace)
                            .resource(custom)
                    : client.genericKubernetesResources(kind.context()).resource(custom);
        }
        return client.resource(item).inNamespace(namespace);
    }
}
