/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.metrics;

import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/** Metrics that are looked up when somebody scrapes them. A worker that has no rank any more is in none of them. */
final class ReadMeters {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final PrometheusRegistry registry;
    private final Labels who;
    private final Supplier<Readings> readings;

    ReadMeters(PrometheusRegistry registry, Labels who, Supplier<Readings> readings) {
        this.registry = registry;
        this.who = who;
        this.readings = readings;
    }

    void register() {
        ofTheRun();
        ofTime();
        ofWorkers();
        counter(
                "elasticrun_events_dropped_total",
                "Events that are missing in events.jsonl because the disk was slow or full.",
                Readings::eventsDropped);
    }

    private void ofTheRun() {
        gauge("elasticrun_world_size", "Workers of the newest round.", Readings::worldSize);
        gauge("elasticrun_round", "Number of the newest round.", Readings::round);
        gauge("elasticrun_restarts_used", "Restarts that the run has used.", Readings::restartsUsed);
        gauge("elasticrun_restarts_allowed", "Restarts that the run may use.", Readings::restartsAllowed);
        gauge(
                "elasticrun_checkpoint_version",
                "Newest checkpoint that the run is known to have completed.",
                Readings::checkpoint);
        GaugeWithCallback.builder()
                .name("elasticrun_nodes")
                .help("Live nodes of the run, by what their agents report of them.")
                .labelNames("phase")
                .constLabels(who)
                .callback(gauge -> readings.get().nodesByPhase().forEach((phase, nodes) -> gauge.call(nodes, phase)))
                .register(registry);
    }

    private void ofTime() {
        counter(
                "elasticrun_wall_seconds_total",
                "Time since this node's workers first worked.",
                reading -> reading.goodput().wall() / NANOS);
        counter(
                "elasticrun_committed_step_seconds_total",
                "Time in steps of this node's workers whose results are in a complete checkpoint.",
                reading -> reading.goodput().committed() / NANOS);
        counter(
                "elasticrun_lost_step_seconds_total",
                "Time in steps of this node's workers that were, or have to be, done again.",
                reading -> reading.goodput().lost() / NANOS);
        gauge(
                "elasticrun_pending_step_seconds",
                "Time in steps of this node's workers since the newest checkpoint.",
                reading -> reading.goodput().pending() / NANOS);
        gauge(
                "elasticrun_heartbeat_lag_seconds",
                "How much later than planned the renewal of this node's lease is; 0: it is not late.",
                Readings::heartbeatLagSeconds);
        gauge(
                "elasticrun_lease_margin_seconds",
                "For how long this node's lease can still be trusted.",
                Readings::leaseMarginSeconds);
    }

    private void ofWorkers() {
        GaugeWithCallback.builder()
                .name("elasticrun_worker_step")
                .help("Newest step that a worker reported.")
                .labelNames("rank")
                .constLabels(who)
                .callback(gauge -> readings.get()
                        .workers()
                        .forEach(worker -> gauge.call((double) worker.step(), Integer.toString(worker.rank()))))
                .register(registry);
        GaugeWithCallback.builder()
                .name("elasticrun_worker_memory_bytes")
                .help("Resident memory of a worker's process.")
                .labelNames("rank")
                .constLabels(who)
                .callback(gauge -> readings.get()
                        .workers()
                        .forEach(worker -> gauge.call((double) worker.memoryBytes(), Integer.toString(worker.rank()))))
                .register(registry);
        CounterWithCallback.builder()
                .name("elasticrun_worker_restarts_total")
                .help("Processes that were started for a slot of this node after the first.")
                .labelNames("slot")
                .constLabels(who)
                .callback(counter -> readings.get()
                        .workers()
                        .forEach(worker -> counter.call(
                                (double) Math.max(0, worker.starts() - 1), Integer.toString(worker.slot()))))
                .register(registry);
    }

    private void gauge(String name, String help, ToDoubleFunction<Readings> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(who)
                .callback(gauge -> gauge.call(value.applyAsDouble(readings.get())))
                .register(registry);
    }

    private void counter(String name, String help, ToDoubleFunction<Readings> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .constLabels(who)
                .callback(counter -> counter.call(value.applyAsDouble(readings.get())))
                .register(registry);
    }
}
