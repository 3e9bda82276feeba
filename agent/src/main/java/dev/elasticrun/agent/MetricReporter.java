/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import java.util.function.Consumer;

/** Records what programs publish: on the node of rank 0 from time to time, and of each worker at its end. Owned by the loop. */
final class MetricReporter {
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private final String nodeId;
    private final EventLoop loop;
    private final AgentMachine machine;
    private final GaugeReads reads;
    private final WorkerGauges gauges;
    private final Consumer<RunEvent> record;

    MetricReporter(
            String nodeId,
            EventLoop loop,
            AgentMachine machine,
            GaugeReads reads,
            WorkerGauges gauges,
            Consumer<RunEvent> record) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.machine = machine;
        this.reads = reads;
        this.gauges = gauges;
        this.record = record;
    }

    /** Continues until the loop ends. */
    void start() {
        loop.schedule(PERIOD, this::look);
    }

    /** A worker has ended. */
    void ended(RunEvent.Worker worker) {
        gauges.metrics(worker).forEach(record);
    }

    private void look() {
        loop.schedule(PERIOD, this::look);
        machine.state()
                .seatOfRank0(nodeId)
                .map(seat -> new RunEvent.Worker(seat.slot(), seat.attempt()))
                .ifPresent(first -> reads.read(read -> gauges.metrics(first).forEach(record)));
    }
}
