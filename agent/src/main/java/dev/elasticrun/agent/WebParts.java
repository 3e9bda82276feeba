/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.control.RunStatus;
import dev.elasticrun.agent.http.KeyGate;
import dev.elasticrun.agent.http.MetricsRoute;
import dev.elasticrun.agent.http.Page;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.rendezvous.RunDescription;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What is served over HTTP, and from what it is made. Safe for use by any thread. */
final class WebParts {
    private final AgentContext context;
    private final LongSupplier nanoTime;
    private final AgentMetrics metrics;
    private final RunObserver observer;
    private final KeyGate gate;

    /**
     * What is looked up when somebody asks. None of them blocks.
     *
     * @param run what all agents say
     * @param described what the store has of the run
     * @param own what this node's workers do
     * @param events of other nodes
     * @param dropped events that are missing in the event log
     * @param desk where commands go in
     * @param refused told of a request without the run's key: its path, and who asked
     */
    record Sources(
            Supplier<CompletableFuture<RunStatus>> run,
            Supplier<CompletableFuture<RunDescription>> described,
            Supplier<CompletableFuture<NodeReply>> own,
            RunHistory.Agents events,
            LongSupplier dropped,
            CommandDesk desk,
            BiConsumer<String, String> refused) {}

    WebParts(AgentContext context, long epochMillis, LongSupplier nanoTime) {
        this.context = context;
        this.nanoTime = nanoTime;
        this.gate = new KeyGate(nanoTime);
        this.metrics = new AgentMetrics(context, nanoTime);
        this.observer = new RunObserver(context.nodeId(), context.settings().slots(), epochMillis, nanoTime, metrics);
    }

    RunObserver observer() {
        return observer;
    }

    /** Loads the metrics' library. */
    MetricsRoute metrics(Sources sources, boolean loopback) {
        return new MetricsRoute(
                metrics.open(observer, sources.described(), sources.own(), sources.dropped()), loopback);
    }

    /** The page, and what is behind it. */
    Page page(Sources sources) {
        RecentRun<RunStatus> recent = new RecentRun<>(sources.run(), nanoTime);
        RunHistory history = new RunHistory(
                context.files().run(), sources.events(), () -> recent.get().map(RunStatus::run), nanoTime);
        return new Page(
                new RunPictures(
                        context,
                        observer,
                        recent,
                        history,
                        new PageCommands(sources.desk(), context.random()),
                        sources.refused()),
                gate);
    }

    /** Who proves to know it may do more from now on. */
    void key(byte[] runKey) {
        gate.key(runKey);
    }
}
