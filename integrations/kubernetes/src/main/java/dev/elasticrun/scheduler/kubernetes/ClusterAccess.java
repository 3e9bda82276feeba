/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.SchedulerException;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the cluster as kubectl does: by {@code KUBECONFIG}, {@code ~/.kube/config}, or the service account of a pod. */
final class ClusterAccess {
    private static final String VARIABLE = "KUBECONFIG";
    private static final int CONNECT_MILLIS = 5_000;
    /** Calls are repeated twice at most: a user waits. */
    private static final int REPEATS = 2;

    private ClusterAccess() {}

    /** @throws SchedulerException when there is no cluster, or its file cannot be used */
    static KubernetesClient client(Map<String, String> environment) {
        Config config = found(environment);
        requireAddress(config.getMasterUrl());
        config.setConnectionTimeout(CONNECT_MILLIS);
        config.setRequestRetryBackoffLimit(REPEATS);
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void requireAddress(String server) {
        try {
            if (new URI(server).getHost() != null) {
                return;
            }
        } catch (URISyntaxException e) {
            // The message below names it.
        }
        throw SchedulerException.of("server of the kubeconfig", server, "a URL, as https://HOST:PORT");
    }

    private static Config found(Map<String, String> environment) {
        String variable = environment.getOrDefault(VARIABLE, "");
        if (!variable.isEmpty()) {
            List<Path> files = Stream.of(variable.split(File.pathSeparator, -1))
                    .filter(name -> !name.isEmpty())
                    .map(Path::of)
                    .filter(Files::isRegularFile)
                    .toList();
            if (files.size() != 1) {
                throw SchedulerException.of(VARIABLE, variable, "one file that exists");
            }
            return read(files.get(0));
        }
        Optional<Path> usual = Optional.ofNullable(environment.get("HOME"))
                .map(home -> Path.of(home, ".kube", "config"))
                .filter(Files::isRegularFile);
        if (usual.isPresent()) {
            return read(usual.get());
        }
        if (!environment.getOrDefault("KUBERNETES_SERVICE_HOST", "").isEmpty()) {
            return Config.autoConfigure(null);
        }
        throw SchedulerException.of(
                "cluster",
                "none is known",
                "a kubeconfig at " + VARIABLE + " or ~/.kube/config, or the service account of a pod");
    }

    private static Config read(Path file) {
        Config config;
        try {
            config = Config.fromKubeconfig(file.toFile());
        } catch (RuntimeException e) {
            throw SchedulerException.of("kubeconfig", file.toString(), "a kubeconfig in YAML; " + e.getMessage());
        }
        if (config.getCurrentContext() == null) {
            throw SchedulerException.of("kubeconfig", file.toString(), "one with a current-context that it has");
        }
        return config;
    }
}
