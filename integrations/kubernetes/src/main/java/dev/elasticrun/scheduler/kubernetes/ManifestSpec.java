/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A job with what its options mean: all that manifests are made from, but for the identity of the submission.
 *
 * @param namespace empty = that of the kubeconfig's context
 * @param agent the command in the image that starts an agent
 * @param runKeySecret a Secret that exists; empty = one is made
 * @param graceSeconds from SIGTERM to SIGKILL of a pod, more than the agent takes
 * @param ttlSeconds how long an ended job is kept
 * @param runtime of a TrainJob
 */
record ManifestSpec(
        JobSpec job,
        Form form,
        Optional<String> namespace,
        String image,
        String agent,
        Resources resources,
        String shmSize,
        Placement placement,
        StorePlace store,
        Optional<String> runKeySecret,
        long graceSeconds,
        int backoffLimit,
        int ttlSeconds,
        TrainerRuntime runtime) {
    String name() {
        return job.name();
    }

    /** Whether the agents' pods are described here, and not by a runtime of the cluster. */
    boolean describesPods() {
        return form != Form.TRAINJOB || runtime instanceof TrainerRuntime.Made;
    }

    boolean hasOwnEtcd() {
        return store instanceof StorePlace.OfJob;
    }

    /** Whether agents find the run key in a Secret; with a runtime of the cluster, and without a network, they do not. */
    boolean hasKeySecret() {
        return describesPods() && job.flag("--run-key-file").isEmpty() && !(store instanceof StorePlace.InAgent);
    }

    String keySecret() {
        return runKeySecret.orElse(name() + "-run-key");
    }

    /** Name of etcd's Service, StatefulSet and network policy. */
    String etcdName() {
        return name() + "-" + Names.ETCD;
    }

    String etcdHost() {
        return form == Form.JOBSET ? name() + "-" + Names.ETCD + "-0-0." + name() : etcdName();
    }

    /** Labels by which the agents' pods are found. Trainer's pods have those of the runtime and of their JobSet. */
    Map<String, String> agentLabels(RunIdentity identity) {
        return form == Form.TRAINJOB ? Map.of(Names.JOBSET_NAME, name()) : labels(identity, Names.AGENT);
    }

    Map<String, String> etcdLabels(RunIdentity identity) {
        return labels(identity, Names.ETCD);
    }

    private static Map<String, String> labels(RunIdentity identity, String component) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put(Names.RUN, identity.run());
        labels.put(Names.COMPONENT, component);
        return labels;
    }
}
