/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.agents;

import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Asks the agents of a run about it, again and again, on a thread of its own: an agent that was just killed may keep a
 * question waiting for seconds. What it has found can be read by any thread.
 */
public final class RunWatch implements AutoCloseable {
    // Agents read what their workers report twice a second: half of that is how old it is at most when it has changed.
    private static final long SPACING_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long USE_SPACING_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Duration END_WAIT = Duration.ofSeconds(10);

    private final StatusSource source;
    private final AgentGroup group;
    private final Thread thread;
    // Guarded by this.
    private final List<Sample> samples = new ArrayList<>();
    private final List<AgentUse> uses = new ArrayList<>();
    private @Nullable StatusReply newest;

    private volatile boolean stopped;

    /** @param source closed by the thread of the watch */
    public RunWatch(StatusSource source, AgentGroup group) {
        this.source = source;
        this.group = group;
        this.thread = new Thread(this::watch, "chaos-watch");
        thread.setDaemon(true);
        thread.start();
    }

    /** The newest answer; empty = there is none yet. */
    public synchronized Optional<StatusReply> newest() {
        return Optional.ofNullable(newest);
    }

    /** In the order of their times. */
    public synchronized List<Sample> samples() {
        return List.copyOf(samples);
    }

    public synchronized Optional<Sample> newestSample() {
        return samples.isEmpty() ? Optional.empty() : Optional.of(samples.get(samples.size() - 1));
    }

    /** What the agents took, every few seconds. */
    public synchronized List<AgentUse> uses() {
        return List.copyOf(uses);
    }

    private void watch() {
        long useNanos = System.nanoTime();
        while (!stopped) {
            long began = System.nanoTime();
            source.ask().ifPresent(reply -> add(reply, sample(reply, System.nanoTime())));
            if (began - useNanos >= 0) {
                useNanos = began + USE_SPACING_NANOS;
                look(began);
            }
            LockSupport.parkNanos(SPACING_NANOS - (System.nanoTime() - began));
        }
        source.close();
    }

    private synchronized void add(StatusReply reply, Sample sample) {
        newest = reply;
        samples.add(sample);
    }

    /** Reads what the agents take now. */
    public void look() {
        look(System.nanoTime());
    }

    private void look(long nowNanos) {
        Optional<AgentUse> most = group.live().stream()
                .map(agent -> agent.use(nowNanos))
                .flatMap(Optional::stream)
                .reduce(AgentUse::max);
        synchronized (this) {
            most.ifPresent(uses::add);
        }
    }

    static Sample sample(StatusReply reply, long nanos) {
        return new Sample(
                nanos,
                reply.getRound(),
                reply.getSuspended() ? 0 : reply.getWorldSize(),
                most(reply, WorkerStatus::getStep),
                Math.max(reply.getVersion(), most(reply, WorkerStatus::getVersion)));
    }

    private static long most(StatusReply reply, ToLongFunction<WorkerStatus> value) {
        return reply.getNodesList().stream()
                .map(NodeStatus::getWorkersList)
                .flatMap(List::stream)
                .filter(worker -> worker.getRank() >= 0)
                .mapToLong(value)
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        stopped = true;
        LockSupport.unpark(thread);
        try {
            thread.join(END_WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
