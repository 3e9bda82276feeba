/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.worker.CurveLog;
import dev.elasticrun.agent.worker.LiveStatus;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records every few seconds what the workers of this node do, for the page of any agent. Owned by the loop. */
final class CurveReporter {
    static final Duration PERIOD = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(CurveReporter.class);

    private final EventLoop loop;
    private final Supplier<CompletableFuture<NodeReply>> node;
    private final RunObserver observer;
    private final CurveLog curves;

    /** @param node what its workers do; reads files */
    CurveReporter(EventLoop loop, Supplier<CompletableFuture<NodeReply>> node, RunObserver observer, CurveLog curves) {
        this.loop = loop;
        this.node = node;
        this.observer = observer;
        this.curves = curves;
    }

    /** Continues until the loop ends. */
    void start() {
        loop.schedule(PERIOD, this::look);
    }

    private void look() {
        loop.schedule(PERIOD, this::look);
        try {
            // Files are read elsewhere: nothing blocks in the loop.
            CompletableFuture.runAsync(() -> node.get().thenAccept(this::add));
        } catch (OutOfMemoryError noThread) {
            LOG.warn("cannot read what workers do: {}", noThread.getMessage());
        }
    }

    private void add(NodeReply reply) {
        AgentState state = observer.state();
        Round round = state == null ? null : state.round();
        observer.seeCheckpoint(LiveStatus.checkpoint(reply.getWorkersList()));
        double goodput = observer.goodput().ratio();
        curves.add(
                observer.millis(),
                reply.getWorkersList(),
                Map.of(
                        "goodput",
                        goodput < 0 ? Double.NaN : goodput,
                        "world",
                        round == null || round.suspended() ? 0.0 : round.worldSize()));
    }
}
