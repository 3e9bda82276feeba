/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.testing.Patience;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A Kubernetes cluster on this machine: a real control plane, and one node whose pods are processes. Nothing of it is left
 * after {@link #close}.
 */
public final class KubernetesCluster implements AutoCloseable {
    private static final String OURS = "app.kubernetes.io/managed-by";
    private static final String JOB = "app.kubernetes.io/instance";

    /** Of the directories that have logs. */
    private static final int DEPTH = 5;

    private final Path directory;
    private final ControlPlane plane;
    private final ProcessKubelet kubelet;
    private final KubernetesClient client;

    private KubernetesCluster(Path directory, ControlPlane plane, ProcessKubelet kubelet) {
        this.directory = directory;
        this.plane = plane;
        this.kubelet = kubelet;
        this.client = plane.client("default");
    }

    /**
     * Starts one, and waits until it takes jobs. Builds the control plane's programs if they are not there.
     *
     * @param parent a directory for its files
     */
    public static KubernetesCluster start(Path parent) {
        ControlPlane plane = ControlPlane.start(parent);
        try {
            return new KubernetesCluster(
                    parent, plane, ProcessKubelet.start(plane.client("default"), parent.resolve("pods")));
        } catch (RuntimeException e) {
            plane.close();
            throw e;
        }
    }

    /** Makes a namespace. */
    public void makeNamespace(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Variables by which commands find the cluster, and work in a namespace. */
    public Map<String, String> environment(String namespace) {
        return Map.of("KUBECONFIG", plane.kubeconfig(namespace).toString());
    }

    /** Where the API server listens, {@code https://HOST:PORT/}. */
    public String server() {
        return client.getMasterUrl().toString();
    }

    /** May do everything. */
    public KubernetesClient client() {
        return client;
    }

    public ProcessKubelet kubelet() {
        return kubelet;
    }

    /** Of a job, also those that have ended; the oldest first. */
    public List<Pod> pods(String namespace, String job) {
        return pods(namespace, JOB, job);
    }

    /** With that value of a label, also those that have ended; the oldest first. */
    public List<Pod> pods(String namespace, String label, String value) {
        return client.pods().inNamespace(namespace).withLabel(label, value).list().getItems().stream()
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .thenComparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    /** Asks the cluster to take a pod from its node, as a drain of the node does. */
    public void evict(Pod pod) {
        if (!client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .evict()) {
            throw new IllegalStateException(pod.getMetadata().getName() + " is not evicted");
        }
    }

    /** What is left in a namespace of all that elastic-run made there: objects, pods and processes. */
    public List<String> left(String namespace) {
        List<HasMetadata> objects = new ArrayList<>();
        objects.addAll(client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withLabel(OURS)
                .list()
                .getItems());
        objects.addAll(
                client.pods().inNamespace(namespace).withLabel(OURS).list().getItems());
        objects.addAll(
                client.services().inNamespace(namespace).withLabel(OURS).list().getItems());
        objects.addAll(
                client.secrets().inNamespace(namespace).withLabel(OURS).list().getItems());
        objects.addAll(client.network()
                .v1()
                .networkPolicies()
                .inNamespace(namespace)
                .withLabel(OURS)
                .list()
                .getItems());
        List<String> left = new ArrayList<>(objects.stream()
                .map(each -> each.getKind() + " " + each.getMetadata().getName())
                .toList());
        kubelet.processes(namespace).forEach(process -> left.add(process.toString()));
        return left;
    }

    /** Until nothing is left. */
    public void awaitNothingLeft(String namespace) {
        Patience.until(
                "nothing in namespace " + namespace,
                TestRun.LIMIT,
                () -> left(namespace).isEmpty(),
                () -> left(namespace) + logs());
    }

    /** Deletes all jobs, with their pods. */
    public void endJobs() {
        client.batch().v1().jobs().inAnyNamespace().list().getItems().forEach(job -> client.resource(job)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete());
    }

    /** What the programs of the cluster and its pods wrote. */
    public String logs() {
        return DaemonLogs.below(directory, DEPTH, file -> file.toString().endsWith(".log"));
    }

    @Override
    public void close() {
        try {
            kubelet.close();
            client.close();
        } finally {
            plane.close();
        }
    }
}
