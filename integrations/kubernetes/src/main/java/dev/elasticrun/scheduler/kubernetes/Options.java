/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobOption;
import java.util.List;

/** What {@code --scheduler-args} may have for Kubernetes. */
final class Options {
    static final JobOption IMAGE = new JobOption(
            "image", "IMAGE", "Container image with the agent's command, a JVM and the program. Required.");
    static final JobOption NAMESPACE =
            new JobOption("namespace", "NAME", "Namespace of the job. Default: that of the kubeconfig's context.");
    static final JobOption FORM = new JobOption(
            "form",
            "job|jobset|trainjob",
            "What the job is in the cluster: a Job, a JobSet, or a TrainJob with its ClusterTrainingRuntime. Default: job.");
    static final JobOption AGENT =
            new JobOption("agent", "COMMAND", "What starts an agent in the image. Default: elastic-run.");
    static final JobOption CPU =
            new JobOption("cpu", "QUANTITY", "Processors of each pod, requested and at most. Default: not limited.");
    static final JobOption MEMORY = new JobOption(
            "memory",
            "QUANTITY",
            "Memory of each pod, requested and at most, with what is in /dev/shm. Default: not limited.");
    static final JobOption GPUS = new JobOption(
            "gpus",
            "N",
            "GPUs of each pod; without --nproc-per-node one worker is started for each of them. Default: 0.");
    static final JobOption GPU_RESOURCE =
            new JobOption("gpu-resource", "NAME", "Name of the resource GPUs are. Default: nvidia.com/gpu.");
    static final JobOption SHM_SIZE = new JobOption(
            "shm-size", "QUANTITY", "Most that /dev/shm holds: checkpoints, and messages within a pod. Default: 1Gi.");
    static final JobOption SERVICE_ACCOUNT = new JobOption(
            "service-account",
            "NAME",
            "Service account of the pods. Its token is not mounted. Default: the namespace's.");
    static final JobOption PULL_SECRET =
            new JobOption("pull-secret", "NAME", "Secret with which the image is pulled. Default: none.");
    static final JobOption PRIORITY_CLASS =
            new JobOption("priority-class", "NAME", "Priority class of the agents' pods. Default: the cluster's.");
    static final JobOption NODE_SELECTOR = new JobOption(
            "node-selector", "LABEL=VALUE,...", "Labels of the nodes on which agents may run. Default: any node.");
    static final JobOption TOLERATIONS = new JobOption(
            "tolerations",
            "KEY[=VALUE][:EFFECT],...",
            "Taints of nodes on which agents may run all the same; '*' as the key: all. Default: none.");
    static final JobOption ETCD_IMAGE = new JobOption(
            "etcd-image",
            "IMAGE",
            "Image of an etcd that is started for the job. Default: none, --rdzv-endpoint names one.");
    static final JobOption ETCD_STORAGE = new JobOption(
            "etcd-storage",
            "QUANTITY",
            "Size of a volume on which that etcd's data outlives its pod. Default: none, the data is lost with the pod.");
    static final JobOption RUN_KEY_SECRET = new JobOption(
            "run-key-secret",
            "NAME",
            "Secret of yours with the run key under run-key. Default: one that is made for the job.");
    static final JobOption BACKOFF_LIMIT = new JobOption(
            "backoff-limit",
            "N",
            "Failed pods after which the job fails; drained and disrupted ones do not count. Default: 6 for each node.");
    static final JobOption TTL = new JobOption(
            "ttl",
            "TIME",
            "How long an ended job is kept, with its pods' logs and its etcd; not for trainjob. Default: 1h.");
    static final JobOption ML_POLICY = new JobOption(
            "ml-policy",
            "torch|xgboost|none",
            "Policy of the runtime that is made for a TrainJob, which names the variables that Trainer sets. Default: torch.");
    static final JobOption RUNTIME = new JobOption(
            "runtime",
            "NAME",
            "ClusterTrainingRuntime of yours that the TrainJob uses. Default: one that is made for the job.");

    static final List<JobOption> ALL = List.of(
            IMAGE,
            NAMESPACE,
            FORM,
            AGENT,
            CPU,
            MEMORY,
            GPUS,
            GPU_RESOURCE,
            SHM_SIZE,
            SERVICE_ACCOUNT,
            PULL_SECRET,
            PRIORITY_CLASS,
            NODE_SELECTOR,
            TOLERATIONS,
            ETCD_IMAGE,
            ETCD_STORAGE,
            RUN_KEY_SECRET,
            BACKOFF_LIMIT,
            TTL,
            ML_POLICY,
            RUNTIME);

    /** What describes pods, and so is the runtime's where it is the user's. */
    static final List<JobOption> OF_PODS = List.of(
            SHM_SIZE,
            SERVICE_ACCOUNT,
            PULL_SECRET,
            PRIORITY_CLASS,
            NODE_SELECTOR,
            TOLERATIONS,
            RUN_KEY_SECRET,
            BACKOFF_LIMIT);

    private Options() {}
}
