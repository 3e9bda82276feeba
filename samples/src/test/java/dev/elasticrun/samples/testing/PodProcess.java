/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.testing;

import dev.elasticrun.agent.directory.RunDirectory;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The first container of a pod as a process of this machine: the first one of a process namespace, which ends with it, and
 * with the pod's volumes. It runs as the user of the test, and shares the network with all others.
 */
final class PodProcess {
    /** As Kubernetes expands commands and arguments. */
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([^()]*)\\)");

    private final Process process;
    private final Path log;
    private boolean isLeaving;

    private PodProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it.
     *
     * @param address of the pod
     * @param image variables that the image sets
     * @throws IllegalArgumentException if something of the pod is not supported here; names it
     */
    static PodProcess start(Pod pod, String address, Map<String, String> image, PodFiles files, Path log)
            throws IOException {
        Container container = pod.getSpec().getContainers().get(0);
        Map<String, String> environment = new HashMap<>(image);
        for (EnvVar variable : container.getEnv()) {
            environment.put(variable.getName(), value(variable, pod, address));
        }
        List<String> command = new ArrayList<>();
        container.getCommand().forEach(word -> command.add(expanded(word, environment)));
        container.getArgs().forEach(word -> command.add(expanded(word, environment)));
        List<String> all = new ArrayList<>(List.of("unshare"));
        if (RunDirectory.uid() != 0) {
            all.addAll(List.of("--user", "--map-root-user"));
        }
        all.addAll(List.of("--mount", "--pid", "--fork", "--mount-proc", "--kill-child"));
        all.addAll(files.enter(pod, container, environment, command));
        ProcessBuilder builder = new ProcessBuilder(all)
                .directory(Project.ROOT.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().clear();
        builder.environment().putAll(environment);
        return new PodProcess(builder.start(), log);
    }

    /** What it writes. */
    Path log() {
        return log;
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Its exit code; 128 and the signal's number if a signal ended it. */
    CompletableFuture<Integer> exitCode() {
        return process.onExit().thenApply(Process::exitValue);
    }

    /** Sends SIGTERM, and SIGKILL after the pod's time of grace. Does nothing when it is called again. */
    void leave(long graceSeconds) {
        if (!isLeaving) {
            isLeaving = true;
            first().ifPresent(ProcessHandle::destroy);
            CompletableFuture.delayedExecutor(graceSeconds, TimeUnit.SECONDS).execute(this::kill);
        }
    }

    /** SIGKILL to the container's first process, with which all others end. */
    void kill() {
        first().ifPresent(ProcessHandle::destroyForcibly);
    }

    /** Also before there is such a process. */
    void close() {
        kill();
        process.destroyForcibly().onExit().join();
    }

    private Optional<ProcessHandle> first() {
        return process.children().findFirst();
    }

    private static String value(EnvVar variable, Pod pod, String address) {
        if (variable.getValueFrom() == null) {
            return variable.getValue() == null ? "" : variable.getValue();
        }
        String path = variable.getValueFrom().getFieldRef() == null
                ? ""
                : variable.getValueFrom().getFieldRef().getFieldPath();
        return switch (path) {
            case "status.podIP" -> address;
            case "metadata.name" -> pod.getMetadata().getName();
            case "metadata.namespace" -> pod.getMetadata().getNamespace();
            default ->
                throw new IllegalArgumentException(
                        "valueFrom of " + variable.getName() + " (expected: a name or the address of the pod)");
        };
    }

    private static String expanded(String text, Map<String, String> environment) {
        return REFERENCE
                .matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) == null ? "$" : environment.getOrDefault(found.group(1), found.group())));
    }
}
