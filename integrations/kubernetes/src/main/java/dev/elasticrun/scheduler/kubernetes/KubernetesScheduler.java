/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.JobBounds;
import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import dev.elasticrun.scheduler.Scheduler;
import dev.elasticrun.scheduler.SchedulerException;
import dev.elasticrun.scheduler.SubmittedJob;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster for one command; connects when it is first needed. */
final class KubernetesScheduler implements Scheduler {
    private final Supplier<KubernetesClient> connect;
    private final Function<String, RunIdentity> identities;
    private @Nullable Cluster connected;

    /** @param identities a new one for a job's name */
    KubernetesScheduler(Supplier<KubernetesClient> connect, Function<String, RunIdentity> identities) {
        this.connect = connect;
        this.identities = identities;
    }

    @Override
    public String render(JobSpec job) {
        ManifestSpec spec = SpecReader.read(job);
        return ManifestYaml.text(Manifests.of(spec, identities.apply(job.name())));
    }

    @Override
    public SubmittedJob submit(JobSpec job) {
        ManifestSpec spec = SpecReader.read(job);
        return asked(cluster -> {
            String namespace = spec.namespace().orElseGet(cluster::namespace);
            RunIdentity identity = identities.apply(job.name());
            List<String> remarks =
                    new ArrayList<>(new Submission(cluster, namespace, identity).create(Manifests.of(spec, identity)));
            remarks.addAll(remarks(spec, identity));
            return new SubmittedJob(new JobId(namespace, spec.name()).toString(), remarks);
        });
    }

    @Override
    public List<JobSummary> list() {
        return asked(cluster -> cluster.jobs(cluster.namespace()).stream()
                .filter(job -> !job.isEnded())
                .sorted(Comparator.comparing(ClusterJob::created).reversed())
                .map(job -> summary(job, cluster.pods(job)))
                .toList());
    }

    @Override
    public JobStatus status(String id) {
        JobId wanted = JobId.parse(id);
        return asked(cluster -> {
            ClusterJob job = find(cluster, wanted);
            List<Pod> pods = cluster.pods(job);
            List<JobStatus.Part> parts =
                    new ArrayList<>(pods.stream().map(PodReport::part).toList());
            if (!job.isEnded() && pods.size() < job.wanted()) {
                cluster.whyNoPods(job).ifPresent(why -> parts.add(new JobStatus.Part("", "", "FailedCreate", 0, why)));
            }
            return new JobStatus(summary(job, pods), job.runId(), parts);
        });
    }

    @Override
    public void logs(String id, boolean follow, Consumer<String> line) {
        JobId wanted = JobId.parse(id);
        asked(cluster -> {
            ClusterJob job = find(cluster, wanted);
            PodLogs logs = new PodLogs(cluster, wanted, line);
            if (follow) {
                logs.follow();
            } else {
                logs.print(job);
            }
            return job;
        });
    }

    @Override
    public String scale(String id, int nodes) {
        JobId wanted = JobId.parse(id);
        return asked(cluster -> {
            ClusterJob job = find(cluster, wanted);
            if (job.isEnded()) {
                throw SchedulerException.of("id", id, "a job that has not ended; it is " + job.state());
            }
            if (job.form() == Form.TRAINJOB) {
                throw SchedulerException.of(
                        "id", id, "a Job or a JobSet: Trainer fixes the number of nodes when a TrainJob begins");
            }
            bounds(job).check(nodes);
            setParallelism(cluster, job, nodes);
            return job.form().kind() + " " + wanted + ": " + nodes + " nodes are wanted from now on (before: "
                    + job.wanted() + ", bounds: " + job.nodes() + ")";
        });
    }

    @Override
    public void cancel(String id) {
        JobId wanted = JobId.parse(id);
        asked(cluster -> {
            ClusterJob job = find(cluster, wanted);
            try {
                cluster.delete(job);
            } catch (KubernetesClientException e) {
                throw new SchedulerException(List.of(
                        ServerWords.of(e, cluster.address()),
                        "what is left of the job is removed by: kubectl delete --namespace "
                                + wanted.namespace() + " " + job.form().option()
                                + (job.ownsRuntime() ? ",clustertrainingruntime" : "")
                                + ",statefulset,service,secret,networkpolicy --selector " + Names.RUN + "="
                                + job.run()));
            }
            return job;
        });
    }

    @Override
    public void close() {
        if (connected != null) {
            connected.close();
        }
    }

    private static List<String> remarks(ManifestSpec spec, RunIdentity identity) {
        List<String> remarks = new ArrayList<>();
        if (spec.store() instanceof StorePlace.OfJob store && store.storage().isEmpty()) {
            remarks.add("the job's etcd has no volume: the run ends when its pod is lost ("
                    + Options.ETCD_STORAGE.name() + ", or --rdzv-endpoint)");
        }
        if (spec.form() == Form.TRAINJOB) {
            remarks.add("a TrainJob is kept when it has ended, with all that belongs to it, until it is cancelled");
        }
        if (spec.form() == Form.TRAINJOB && spec.runtime() instanceof TrainerRuntime.Made) {
            remarks.add("ClusterTrainingRuntime " + identity.run() + " belongs to the job, and to no namespace");
        }
        return remarks;
    }

    private static ClusterJob find(Cluster cluster, JobId id) {
        return cluster.job(id)
                .orElseThrow(() -> SchedulerException.of(
                        "id",
                        id.toString(),
                        "a Job, JobSet or TrainJob that elastic-run submitted to " + cluster.address()));
    }

    private static JobSummary summary(ClusterJob job, List<Pod> pods) {
        int running = (int) pods.stream().filter(PodReport::isRunning).count();
        return new JobSummary(job.id().toString(), job.id().name(), job.state(), running, job.wanted());
    }

    private static JobBounds bounds(ClusterJob job) {
        return JobBounds.parse(job.nodes())
                .orElseThrow(() -> SchedulerException.of(
                        "annotation " + Names.NODES,
                        "'" + job.nodes() + "'",
                        "MIN:MAX, as it was when the job was submitted"));
    }

    private static void setParallelism(Cluster cluster, ClusterJob job, int nodes) {
        try {
            cluster.setParallelism(job, nodes);
        } catch (KubernetesClientException e) {
            List<String> lines = new ArrayList<>();
            lines.add(job.form().kind() + " " + job.id() + ": " + ServerWords.of(e, cluster.address()));
            if (job.form() == Form.JOBSET) {
                lines.add("a JobSet that runs changes its nodes only in clusters whose JobSet has the feature gate"
                        + " ElasticJobSet; a Job (form=job) changes them in any");
            }
            throw new SchedulerException(lines);
        }
    }

    private <T> T asked(Function<Cluster, T> call) {
        Cluster cluster = connected;
        if (cluster == null) {
            cluster = new Cluster(connect.get());
            connected = cluster;
        }
        try {
            return call.apply(cluster);
        } catch (KubernetesClientException e) {
            throw new SchedulerException(List.of(ServerWords.of(e, cluster.address())));
        }
    }
}
