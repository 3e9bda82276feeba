/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.SchedulerException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Creates the objects of one job, or none. */
final class Submission {
    private final Cluster cluster;
    private final String namespace;
    private final RunIdentity identity;
    /** What was created, or may have been, the last first. */
    private final Deque<HasMetadata> made = new ArrayDeque<>();

    Submission(Cluster cluster, String namespace, RunIdentity identity) {
        this.cluster = cluster;
        this.namespace = namespace;
        this.identity = identity;
    }

    /**
     * Creates all, and makes the last one the owner of the others, so that they go when it does.
     *
     * @return remarks about what could not be done
     * @throws SchedulerException when one cannot be created: those before it are deleted again
     */
    List<String> create(List<HasMetadata> manifests) {
        List<HasMetadata> created = new ArrayList<>();
        for (HasMetadata manifest : manifests) {
            try {
                HasMetadata item = cluster.create(manifest, namespace);
                made.push(item);
                created.add(item);
            } catch (KubernetesClientException e) {
                if (ServerWords.isSilent(e)) {
                    made.push(manifest);
                }
                throw failure(manifest, e);
            }
        }
        HasMetadata owner = created.remove(created.size() - 1);
        return own(owner, created);
    }

    private List<String> own(HasMetadata owner, List<HasMetadata> others) {
        for (HasMetadata item : others) {
            // What belongs to the whole cluster cannot be owned by something in a namespace.
            if (item.getMetadata().getNamespace() == null) {
                continue;
            }
            try {
                cluster.setOwner(item, owner, namespace);
            } catch (KubernetesClientException e) {
                return List.of(named(item) + " and others stay when the job ends, until it is cancelled: "
                        + ServerWords.of(e, cluster.address()));
            }
        }
        return List.of();
    }

    private SchedulerException failure(HasMetadata manifest, KubernetesClientException refusal) {
        List<String> lines = new ArrayList<>();
        lines.add(named(manifest) + " in namespace " + namespace + ": " + ServerWords.of(refusal, cluster.address()));
        if (refusal.getCode() == HttpURLConnection.HTTP_NOT_FOUND && manifest instanceof GenericKubernetesResource) {
            lines.add(SchedulerException.line(
                    "kind", manifest.getKind(), "a cluster in which " + manifest.getApiVersion() + " is installed"));
        }
        List<String> left = made.stream()
                .filter(item -> !isRemoved(item))
                .map(Submission::argument)
                .toList();
        if (!left.isEmpty()) {
            lines.add("left in the cluster, removed by: kubectl delete --namespace " + namespace
                    + " --ignore-not-found " + String.join(" ", left));
        }
        return new SchedulerException(lines);
    }

    private boolean isRemoved(HasMetadata item) {
        try {
            Optional<HasMetadata> found = cluster.get(item, namespace);
            // Something of the same name may have been there before.
            if (found.filter(this::isOfThis).isPresent()) {
                cluster.delete(item, namespace);
            }
            return true;
        } catch (KubernetesClientException e) {
            return false;
        }
    }

    private boolean isOfThis(HasMetadata item) {
        return item.getMetadata().getLabels() != null
                && identity.run().equals(item.getMetadata().getLabels().get(Names.RUN));
    }

    private static String named(HasMetadata item) {
        return item.getKind() + " " + item.getMetadata().getName();
    }

    private static String argument(HasMetadata item) {
        return item.getKind().toLowerCase(Locale.ROOT) + "/"
                + item.getMetadata().getName();
    }
}
