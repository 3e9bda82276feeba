/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import com.fasterxml.jackson.databind.JsonNode;
import dev.elasticrun.testing.Patience;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** A job on a cluster, in a namespace of its own, by the commands that users have for it. */
public final class KubernetesJob {
    private static final String NAME = "train";

    private final KubernetesCluster cluster;
    private final String namespace;
    private final String nodes;
    private final List<String> flags;
    private final String image;

    /**
     * Makes the namespace.
     *
     * @param nodes MIN:MAX
     * @param flags of the agents
     */
    public KubernetesJob(KubernetesCluster cluster, String namespace, String nodes, List<String> flags, String image) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.nodes = nodes;
        this.flags = flags;
        this.image = image;
        cluster.makeNamespace(namespace);
    }

    public void submit(List<String> program) {
        List<String> line = new ArrayList<>(List.of(
                "submit",
                "--scheduler",
                "kubernetes",
                "--scheduler-args",
                "image=" + image,
                "--job-name",
                NAME,
                "--nnodes",
                nodes));
        line.addAll(flags);
        line.addAll(program);
        Command.Result result = command(line.toArray(String[]::new));
        if (!result.output().strip().equals(id())) {
            throw new IllegalStateException("submit ended with " + result.exitCode() + ": " + result.output());
        }
    }

    /** As commands take it. */
    public String id() {
        return "kubernetes://" + namespace + "/" + NAME;
    }

    public String namespace() {
        return namespace;
    }

    /** Those that have ended, too; the oldest first. */
    public List<Pod> pods() {
        return cluster.pods(namespace, NAME);
    }

    /** What the agents of its pods log; process ids are those of the pods' namespaces. The logs of a lost pod go with it. */
    public NodeLogs logs() {
        return new NodeLogs(
                cluster.kubelet().volumes(namespace, "logs"),
                pid -> true,
                () -> command("status", id()).output() + command("logs", id()).output() + cluster.logs());
    }

    /** One of the commands of elastic-run, to its end. */
    public Command.Result command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        return Command.run(cluster.environment(namespace), TestRun.LIMIT, command);
    }

    /** By which its agents meet. */
    public String runId() {
        return status().path("run").asText();
    }

    /** One field of each pod. */
    public List<String> parts(String field) {
        return StreamSupport.stream(status().path("parts").spliterator(), false)
                .map(part -> part.path(field).asText())
                .toList();
    }

    public void awaitState(String state) {
        Patience.until(
                id() + " to be " + state,
                TestRun.LIMIT,
                () -> status().path("state").asText().equals(state),
                () -> status() + cluster.logs());
    }

    /** Until a pod has this value in this field. */
    public void awaitPart(String field, String value) {
        Patience.until(
                field + " of a pod: " + value,
                TestRun.LIMIT,
                () -> parts(field).contains(value),
                () -> status() + cluster.logs());
    }

    private JsonNode status() {
        return command("status", id(), "--json").json();
    }
}
