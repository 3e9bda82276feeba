/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.worker.CurveLog;
import dev.elasticrun.agent.worker.LiveStatus;
import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.loop.EventLoop;
import dev.elasticrun.rendezvous.record.Round;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** Records every few seconds what the workers of this node do, for the page of any agent. Owned by the loop. */
final class CurveReporter {
    static final Duration PERIOD = Duration.ofSeconds(5);

    private final EventLoop loop;
    private final GaugeReads gauges;
    private final Function<Map<WorkerGauges.Key, WorkerStatus>, NodeReply> node;
    private final RunObserver observer;
    private final CurveLog curves;

    /** @param node the status of this node, with what was read of its workers */
    CurveReporter(
            EventLoop loop,
            GaugeReads gauges,
            Function<Map<WorkerGauges.Key, WorkerStatus>, NodeReply> node,
            RunObserver observer,
            CurveLog curves) {
        this.loop = loop;
        this.gauges = gauges;
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
        gauges.read(read -> add(node.apply(read)));
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
