/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.agent.tls.RunTls;
import dev.elasticrun.testing.Processes;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A node whose pods are processes of this machine. Pods without a node are bound to it; their first container's command is
 * started if its image is {@link #IMAGE}, which is the built project with its {@code bin} directory on the {@code PATH}.
 * Deleted pods are asked to leave, killed after their time of grace, and then removed. One thread does all of it.
 */
public final class ProcessKubelet implements AutoCloseable {
    /** The only one that there is. */
    public static final String IMAGE = "built.example/elastic-run:here";

    private static final String NAME = "node-of-processes";
    private static final String PENDING = "Pending";
    private static final byte[] ANY_KEY = new byte[32];
    private static final int ADDRESSES = 250;

    private final KubernetesClient client;
    private final PodFiles files;
    private final Path logs;
    private final PodLogServer server;
    private final ExecutorService work = Executors.newSingleThreadExecutor();
    /** By {@code NAMESPACE/POD}, whose generated names do not come again. */
    private final Map<String, PodProcess> processes = new ConcurrentHashMap<>();

    private final SharedIndexInformer<Pod> pods;
    private int started;

    private ProcessKubelet(KubernetesClient client, Path directory) throws IOException {
        this.client = client;
        this.files = new PodFiles(directory.resolve("volumes"), (namespace, name) -> secret(client, namespace, name));
        this.logs = Files.createDirectories(directory.resolve("logs"));
        RunTls identity = RunTls.generated(NAME, NAME, List.of());
        identity.known(ANY_KEY);
        this.server = PodLogServer.start(identity.web(), pod -> Optional.ofNullable(processes.get(pod)));
        client.resource(node(server.port())).create();
        client.resource(node(server.port())).updateStatus();
        this.pods = client.pods().inAnyNamespace().inform(new Handler());
    }

    /**
     * Starts it.
     *
     * @param client is closed with it
     * @param directory is made, for volumes and logs of pods
     */
    public static ProcessKubelet start(KubernetesClient client, Path directory) {
        try {
            return new ProcessKubelet(client, directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the volumes of this name are, one directory for each pod of a namespace. */
    public Path volumes(String namespace, String name) {
        return files.volumes(namespace, name);
    }

    /** Processes of all pods of a namespace. */
    public List<Processes.Found> processes(String namespace) {
        return Processes.carrying("TMPDIR=" + files.volumes(namespace, "tmp"), List.of());
    }

    /** SIGKILL to all processes of a pod, whose volumes are gone, too, as with a host that is lost. */
    public void lose(Pod pod) {
        Optional.ofNullable(processes.get(key(pod))).ifPresent(PodProcess::close);
        files.remove(pod);
    }

    /** Ends all pods at once. */
    @Override
    public void close() {
        pods.close();
        synchronized (work) {
            work.shutdown();
        }
        try {
            if (!work.awaitTermination(10, TimeUnit.SECONDS)) {
                work.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        processes.values().forEach(PodProcess::close);
        server.close();
        client.close();
    }

    private final class Handler implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            later(() -> look(pod));
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            later(() -> look(pod));
        }

        @Override
        public void onDelete(Pod pod, boolean isStateUnknown) {
            later(() -> Optional.ofNullable(processes.get(key(pod))).ifPresent(PodProcess::close));
        }
    }

    /** Nothing of this is done after {@link #close}. */
    private void later(Runnable step) {
        synchronized (work) {
            if (!work.isShutdown()) {
                work.execute(step);
            }
        }
    }

    private void look(Pod pod) {
        PodProcess process = processes.get(key(pod));
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            if (process != null && process.isRunning()) {
                process.leave(pod.getMetadata().getDeletionGracePeriodSeconds());
            } else {
                remove(pod);
            }
        } else if (process == null && isNew(pod)) {
            run(pod);
        }
    }

    /** Whether no container of it was looked at yet. */
    private static boolean isNew(Pod pod) {
        return PENDING.equals(pod.getStatus().getPhase())
                && pod.getStatus().getContainerStatuses().isEmpty();
    }

    private void run(Pod pod) {
        if (pod.getSpec().getNodeName() == null) {
            bind(pod);
        }
        String image = pod.getSpec().getContainers().get(0).getImage();
        if (!image.equals(IMAGE)) {
            report(pod, PENDING, "", waiting("ErrImagePull", image + ": there is no such image"));
            return;
        }
        started++;
        String address = "127.1." + started / ADDRESSES + "." + (1 + started % ADDRESSES);
        try {
            Path log = logs.resolve(key(pod).replace('/', '.') + ".log");
            PodProcess process = PodProcess.start(pod, address, image(), files, log);
            processes.put(key(pod), process);
            report(pod, "Running", address, running());
            process.exitCode().thenAccept(code -> later(() -> ended(pod, address, code)));
        } catch (IOException | IllegalArgumentException e) {
            report(pod, PENDING, "", waiting("CreateContainerError", String.valueOf(e)));
        }
    }

    private void bind(Pod pod) {
        String namespace = pod.getMetadata().getNamespace();
        client.bindings()
                .inNamespace(namespace)
                .resource(new BindingBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .withNamespace(namespace)
                        .endMetadata()
                        .withTarget(new ObjectReference("v1", null, "Node", NAME, null, null, null))
                        .build())
                .create();
    }

    private void ended(Pod pod, String address, int exitCode) {
        report(pod, exitCode == 0 ? "Succeeded" : "Failed", address, terminated(exitCode));
        Pod now = resource(pod).get();
        if (now != null && now.getMetadata().getDeletionTimestamp() != null) {
            remove(pod);
        }
    }

    private void remove(Pod pod) {
        try {
            resource(pod).withGracePeriod(0).delete();
        } catch (KubernetesClientException e) {
            requireGone(e);
        }
    }

    private void report(Pod pod, String phase, String address, ContainerState state) {
        boolean isWritten = false;
        while (!isWritten) {
            isWritten = tryReport(pod, phase, address, state);
        }
    }

    /** @return false if somebody else has changed the pod meanwhile */
    private boolean tryReport(Pod pod, String phase, String address, ContainerState state) {
        boolean isRunning = state.getRunning() != null;
        try {
            resource(pod).editStatus(known -> new PodBuilder(known)
                    .editStatus()
                    .withPhase(phase)
                    .withPodIP(address.isEmpty() ? null : address)
                    .removeMatchingFromConditions(
                            condition -> condition.getType().equals("Ready"))
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus(isRunning ? "True" : "False")
                    .endCondition()
                    .withContainerStatuses()
                    .addNewContainerStatus()
                    .withName(pod.getSpec().getContainers().get(0).getName())
                    .withImage(pod.getSpec().getContainers().get(0).getImage())
                    .withImageID("")
                    .withRestartCount(0)
                    .withReady(isRunning)
                    .withState(state)
                    .endContainerStatus()
                    .endStatus()
                    .build());
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return false;
            }
            requireGone(e);
            return true;
        }
    }

    /** Whoever is deleted without a time of grace is gone before its end is reported. */
    private static void requireGone(KubernetesClientException failure) {
        if (failure.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
            throw failure;
        }
    }

    private Resource<Pod> resource(Pod pod) {
        return client.pods()
                .inNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName());
    }

    private static String key(Pod pod) {
        return pod.getMetadata().getNamespace() + "/" + pod.getMetadata().getName();
    }

    private static ContainerState waiting(String reason, String message) {
        return new ContainerStateBuilder().withNewWaiting(message, reason).build();
    }

    private static ContainerState running() {
        return new ContainerStateBuilder()
                .withNewRunning(Instant.now().toString())
                .build();
    }

    private static ContainerState terminated(int exitCode) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(exitCode)
                .withReason(exitCode == 0 ? "Completed" : "Error")
                .endTerminated()
                .build();
    }

    /** What an image of it would set. */
    private static Map<String, String> image() {
        Map<String, String> variables = new HashMap<>();
        variables.put("PATH", Project.LAUNCHER.getParent() + File.pathSeparator + System.getenv("PATH"));
        variables.put("JAVA_HOME", System.getProperty("java.home"));
        String workers = System.getenv("ELASTICRUN_JAVA_OPTS");
        if (workers != null) {
            variables.put("ELASTICRUN_JAVA_OPTS", workers);
        }
        return variables;
    }

    private static Node node(int logPort) {
        return new NodeBuilder()
                .withNewMetadata()
                .withName(NAME)
                .endMetadata()
                .withNewStatus()
                .addNewAddress("127.0.0.1", "InternalIP")
                .withNewDaemonEndpoints()
                .withNewKubeletEndpoint(logPort)
                .endDaemonEndpoints()
                .endStatus()
                .build();
    }

    private static Map<String, String> secret(KubernetesClient client, String namespace, String name) {
        Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
        if (secret == null) {
            throw new IllegalArgumentException("secret " + name + ": not there");
        }
        return secret.getData();
    }
}
