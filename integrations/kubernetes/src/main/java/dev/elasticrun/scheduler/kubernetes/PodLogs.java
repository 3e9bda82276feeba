/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import dev.elasticrun.scheduler.SchedulerException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.LogWatch;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The output of agents in their pods, each line after the name of its pod. */
final class PodLogs {
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MOST_LINES = 10_000;

    private final Cluster cluster;
    private final JobId id;
    private final Consumer<String> line;

    PodLogs(Cluster cluster, JobId id, Consumer<String> line) {
        this.cluster = cluster;
        this.id = id;
        this.line = line;
    }

    /** What there is now, one pod after the other, until the caller is interrupted. */
    void print(ClusterJob job) {
        for (Pod pod : started(job)) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            String name = pod.getMetadata().getName();
            try (InputStream log = cluster.agentOf(job, name).getLogInputStream()) {
                read(name, log, line);
            } catch (IOException e) {
                throw broken(name, e);
            }
        }
    }

    /** What there is, and what comes, of all pods together, until the job has ended or the caller is interrupted. */
    void follow() {
        Map<String, Follower> followers = new LinkedHashMap<>();
        BlockingQueue<String> lines = new LinkedBlockingQueue<>(MOST_LINES);
        try {
            while (true) {
                Optional<ClusterJob> job = cluster.job(id);
                boolean isOver = job.map(ClusterJob::isEnded).orElse(true);
                job.ifPresent(found -> join(found, followers, lines));
                pass(lines);
                if (isOver && followers.values().stream().allMatch(Follower::isDone)) {
                    lines.forEach(line);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            followers.values().forEach(Follower::close);
        }
    }

    private void join(ClusterJob job, Map<String, Follower> followers, BlockingQueue<String> lines) {
        for (Pod pod : started(job)) {
            String name = pod.getMetadata().getName();
            if (followers.containsKey(name)) {
                continue;
            }
            try {
                followers.put(name, new Follower(job, name, lines));
            } catch (KubernetesClientException e) {
                // It may have been deleted meanwhile.
                if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    throw e;
                }
            }
        }
    }

    /** Until it is time to look for new pods. */
    private void pass(BlockingQueue<String> lines) throws InterruptedException {
        long end = System.nanoTime() + LOOK_NANOS;
        for (long left = LOOK_NANOS; left > 0; left = end - System.nanoTime()) {
            String next = lines.poll(left, TimeUnit.NANOSECONDS);
            if (next != null) {
                line.accept(next);
            }
        }
    }

    private List<Pod> started(ClusterJob job) {
        return cluster.pods(job).stream().filter(PodReport::hasStarted).toList();
    }

    private static void read(String pod, InputStream log, Consumer<String> to) throws IOException {
        BufferedReader reader = new BufferedReader(new InputStreamReader(log, StandardCharsets.UTF_8));
        String text = reader.readLine();
        while (text != null && !Thread.currentThread().isInterrupted()) {
            to.accept("[" + pod + "] " + text);
            text = reader.readLine();
        }
    }

    private static SchedulerException broken(String pod, IOException failure) {
        return new SchedulerException(List.of("log of pod " + pod + ": " + failure));
    }

    /** Reads the log of one pod in a thread of its own. */
    private final class Follower {
        private final LogWatch watch;
        private final Thread thread;

        Follower(ClusterJob job, String pod, BlockingQueue<String> lines) {
            this.watch = cluster.agentOf(job, pod).watchLog();
            this.thread = new Thread(() -> readAll(pod, lines), "pod-log-" + pod);
            thread.setDaemon(true);
            thread.start();
        }

        boolean isDone() {
            return !thread.isAlive();
        }

        void close() {
            watch.close();
            thread.interrupt();
        }

        private void readAll(String pod, BlockingQueue<String> lines) {
            try {
                read(pod, watch.getOutput(), text -> put(lines, text));
            } catch (IOException e) {
                put(lines, "[" + pod + "] the log ends here: " + e);
            } catch (KubernetesClientException e) {
                put(lines, "[" + pod + "] the log ends here: " + e.getMessage());
            }
        }

        private static void put(BlockingQueue<String> lines, String text) {
            try {
                lines.put(text);
            } catch (InterruptedException e) {
                // The caller has left; the next read fails.
                Thread.currentThread().interrupt();
            }
        }
    }
}
