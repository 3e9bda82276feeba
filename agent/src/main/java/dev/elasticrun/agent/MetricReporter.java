/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.rules.AgentMachine;
import dev.elasticrun.agent.worker.WorkerGauges;
import dev.elasticrun.rendezvous.loop.EventLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records what programs publish: on the node of rank 0 from time to time, and of each worker at its end. Owned by the loop. */
final class MetricReporter {
    private static final Logger LOG = LoggerFactory.getLogger(MetricReporter.class);
    private static final Duration PERIOD = Duration.ofSeconds(30);

    private final String nodeId;
    private final EventLoop loop;
    private final AgentMachine machine;
    private final WorkerGauges gauges;
    private final Consumer<RunEvent> record;

    MetricReporter(
            String nodeId, EventLoop loop, AgentMachine machine, WorkerGauges gauges, Consumer<RunEvent> record) {
        this.nodeId = nodeId;
        this.loop = loop;
        this.machine = machine;
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
        Optional<RunEvent.Worker> first =
                machine.state().seatOfRank0(nodeId).map(seat -> new RunEvent.Worker(seat.slot(), seat.attempt()));
        if (first.isEmpty()) {
            return;
        }
        try {
            // Files are read elsewhere: nothing blocks in the loop.
            CompletableFuture.runAsync(gauges::read)
                    .thenRun(
                            () -> loop.execute(() -> gauges.metrics(first.get()).forEach(record)));
        } catch (OutOfMemoryError noThread) {
            LOG.warn("node={} cannot read what programs publish: {}", nodeId, noThread.getMessage());
        }
    }
}
