/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.KubernetesCluster;
import dev.elasticrun.samples.testing.KubernetesJob;
import dev.elasticrun.samples.testing.NodeLogs;
import dev.elasticrun.samples.testing.ProcessKubelet;
import dev.elasticrun.samples.testing.Project;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/** Jobs of three nodes with a worker each on a real control plane: their start, and pods that are lost and replaced. */
final class KubernetesBench {
    private static final int NODES = 3;
    private static final int STEP_MILLIS = 20;

    private final KubernetesCluster cluster;
    private final String store;
    /** When pods were first seen, by name. */
    private final Map<String, Long> created = new ConcurrentHashMap<>();

    private final List<Times> starts = new ArrayList<>();
    private final List<Times> evictions = new ArrayList<>();
    private final List<Times> kills = new ArrayList<>();

    private KubernetesBench(KubernetesCluster cluster, String store) {
        this.cluster = cluster;
        this.store = store;
    }

    /**
     * Milliseconds from one moment.
     *
     * @param engine until the control plane had made the pods; of a loss the replacement
     * @param survivors until all survivors had completed an operation without the lost one; -1 = none was lost
     * @param whole until all workers had completed an operation together
     */
    private record Times(double engine, double survivors, double whole) {}

    static String run(Path directory, EtcdProcess etcd, int times) {
        try (KubernetesCluster cluster = KubernetesCluster.start(directory)) {
            KubernetesBench bench = new KubernetesBench(cluster, etcd.endpoint());
            // Ends with the cluster.
            cluster.client().pods().inAnyNamespace().inform(bench.new Creations());
            for (int time = 0; time < times; time++) {
                bench.measure("run-" + time);
            }
            return bench.table(times);
        }
    }

    private void measure(String namespace) {
        KubernetesJob job = new KubernetesJob(
                cluster,
                namespace,
                "1:" + NODES,
                List.of(
                        "--nproc-per-node",
                        "1",
                        "--rdzv-endpoint",
                        store,
                        "--restart-policy",
                        "soft",
                        "--last-call-timeout",
                        "60s"),
                ProcessKubelet.IMAGE);
        NodeLogs logs = job.logs();
        long submitted = System.nanoTime();
        job.submit(Project.training(1_000_000, STEP_MILLIS));
        long round = logs.awaitTogether(0, NODES);
        starts.add(new Times(millis(submitted, newest(job.pods())), -1, millis(submitted, whole(logs))));
        round = lose(job, logs, round, evictions, cluster::evict);
        lose(job, logs, round, kills, cluster.kubelet()::lose);
        job.command("cancel", job.id());
        cluster.awaitNothingLeft(namespace);
    }

    /** @return the round of the whole world after it */
    private long lose(KubernetesJob job, NodeLogs logs, long round, List<Times> into, Consumer<Pod> take) {
        List<Pod> before = job.pods();
        long lost = System.nanoTime();
        take.accept(before.get(before.size() - 1));
        long again = logs.awaitTogether(round, NODES);
        into.add(new Times(
                millis(lost, newest(job.pods())), millis(lost, survivors(logs, lost)), millis(lost, whole(logs))));
        return again;
    }

    private long newest(List<Pod> pods) {
        return latest(pods, pod -> created.get(pod.getMetadata().getName()));
    }

    /** When the last running worker had completed its first operation of the newest round. */
    private static long whole(NodeLogs logs) {
        return latest(
                logs.byNode().values().stream()
                        .flatMap(log -> log.running().stream())
                        .toList(),
                AgentLog.Slot::resumedNanos);
    }

    /** When the last worker that is older than the loss had completed its first operation after it. */
    private static long survivors(NodeLogs logs, long lost) {
        List<Long> first = logs.byNode().values().stream()
                .filter(log -> !log.running().isEmpty())
                .filter(log -> log.all("worker.resumed").get(0).nanos() < lost)
                .map(log ->
                        AgentLog.workerNanos(log.after(lost, "worker.resumed").get(0)))
                .toList();
        return latest(first, Long::longValue);
    }

    private static <T> long latest(List<T> all, ToLongFunction<T> nanos) {
        return all.stream().mapToLong(nanos).max().orElseThrow();
    }

    private static double millis(long from, long to) {
        return (to - from) / 1e6;
    }

    private String table(int times) {
        return String.join(
                "\n",
                "",
                "### Kubernetes: a job of " + NODES + " nodes, " + times + " times",
                "",
                "| ms, median (worst) | pods made | survivors work without it | all work |",
                "|---|---|---|---|",
                row("submit", starts),
                row("pod evicted", evictions),
                row("pod lost", kills),
                "");
    }

    private static String row(String name, List<Times> all) {
        return "| " + name + " | "
                + text(all.stream().mapToDouble(Times::engine).toArray()) + " | "
                + text(all.stream().mapToDouble(Times::survivors).toArray()) + " | "
                + text(all.stream().mapToDouble(Times::whole).toArray()) + " |";
    }

    private static String text(double[] millis) {
        Arrays.sort(millis);
        double worst = millis[millis.length - 1];
        return worst < 0 ? "-" : Math.round(millis[millis.length / 2]) + " (" + Math.round(worst) + ")";
    }

    private final class Creations implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            created.put(pod.getMetadata().getName(), System.nanoTime());
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {}

        @Override
        public void onDelete(Pod pod, boolean isStateUnknown) {}
    }
}
