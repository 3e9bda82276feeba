/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.incident.Goodput;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.RecoveryPhase;
import dev.elasticrun.agent.metrics.MetricsRegistry;
import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.telemetry.MetricSink;
import dev.elasticrun.agent.telemetry.Telemetry;
import dev.elasticrun.agent.worker.LiveStatus;
import dev.elasticrun.proto.NodeReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import dev.elasticrun.rendezvous.terms.LeaseTimes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * The metrics of one agent: each is named here, once, with where it is from. Nothing is counted, and no
 * library loaded, before {@link #open} or {@link #send}. Safe for use by any thread.
 */
public final class AgentMetrics implements RunObserver.Counters {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double MILLIS = TimeUnit.SECONDS.toMillis(1);
    private static final double[] RECOVERY_SECONDS = {
        0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600
    };

    private final AgentContext context;
    private final LongSupplier nanoTime;
    private final List<Counted> counted = new CopyOnWriteArrayList<>();

    // Metrics that are counted as events happen.
    private record Counted(Consumer<String> incidents, ObjDoubleConsumer<String> recoveries, LongConsumer refused) {}

    /**
     * What is read for a scrape.
     *
     * @param run what the store has of it; empty = not known
     * @param round newest that this agent knows; {@link Round#NONE} before the first
     * @param workers of this node that have a rank
     * @param checkpoint newest version that the run is known to have completed
     */
    private record Reading(
            Optional<RunDescription> run,
            Round round,
            List<WorkerStatus> workers,
            long checkpoint,
            Goodput.Account goodput) {}

    public AgentMetrics(AgentContext context, LongSupplier nanoTime) {
        this.context = context;
        this.nanoTime = nanoTime;
    }

    /**
     * What metrics are read from. None of them blocks.
     *
     * @param described what the store has of the run
     * @param node what this node's workers do
     * @param dropped events that are missing in the event log
     */
    public record Sources(
            RunObserver observer,
            Supplier<CompletableFuture<RunDescription>> described,
            Supplier<CompletableFuture<NodeReply>> node,
            LongSupplier dropped) {}

    /** Loads the library of scraped metrics. What came before is the start of the agent, which is no incident. */
    public MetricsRegistry<?> open(Sources sources) {
        MetricsRegistry<Reading> metrics = new MetricsRegistry<>(context.runId(), context.nodeId(), reading(sources));
        describe(metrics, sources);
        return metrics;
    }

    /** The same metrics to a collector, from now on. */
    public void send(Sources sources, Telemetry to) {
        to.<Reading>metrics(reading(sources), metrics -> describe(metrics, sources));
    }

    private Supplier<Reading> reading(Sources sources) {
        RecentRun<RunDescription> run = new RecentRun<>(sources.described(), nanoTime);
        RecentRun<NodeReply> own = new RecentRun<>(sources.node(), nanoTime);
        return () -> read(sources.observer(), run.get(), own.get());
    }

    private void describe(MetricSink<Reading> metrics, Sources sources) {
        counted.add(new Counted(
                metrics.counter(
                        "elasticrun_incidents_total",
                        "Incidents that this agent saw, by cause.",
                        "cause",
                        Arrays.stream(IncidentCause.values())
                                .map(IncidentCause::label)
                                .toList()),
                metrics.histogram(
                        "elasticrun_recovery_seconds",
                        "Time from the first sign of an incident on this node until a phase of the answer was reached.",
                        "phase",
                        Arrays.stream(RecoveryPhase.values())
                                .map(RecoveryPhase::label)
                                .toList(),
                        RECOVERY_SECONDS),
                metrics.counter(
                        "elasticrun_control_calls_refused_total",
                        "Calls and requests that were refused because the caller did not prove to know the run's key, or"
                                + " spoke another protocol.")));
        metrics.gauge(
                "elasticrun_build_info",
                "1; the version of the agent is in the label.",
                "version",
                reading -> Map.of(AgentContext.version().orElse("unknown"), 1L));
        ofTheRun(metrics);
        ofTime(metrics, sources.observer());
        ofWorkers(metrics, sources.observer());
        metrics.readCounter(
                "elasticrun_events_dropped_total",
                "Events that are missing in events.jsonl because the disk was slow or full.",
                reading -> sources.dropped().getAsLong());
    }

    private Reading read(RunObserver observer, Optional<RunDescription> run, Optional<NodeReply> own) {
        List<WorkerStatus> workers = own.map(NodeReply::getWorkersList).orElse(List.of()).stream()
                .filter(worker -> worker.getRank() >= 0)
                .toList();
        AgentState state = observer.state();
        Round round = state == null || state.round() == null ? Round.NONE : state.round();
        long held = LiveStatus.checkpoint(workers);
        observer.seeCheckpoint(held);
        long reported = Math.max(
                round.checkpoint().version(),
                state == null ? 0 : state.checkpoints().newest().version());
        return new Reading(run, round, workers, Math.max(held, reported), observer.goodput());
    }

    private void ofTheRun(MetricSink<Reading> metrics) {
        metrics.gauge("elasticrun_world_size", "Workers of the newest round.", reading -> reading.round()
                .worldSize());
        metrics.gauge("elasticrun_round", "Number of the newest round.", reading -> reading.round()
                .number());
        metrics.gauge("elasticrun_restarts_used", "Restarts that the run has used.", reading -> reading.run()
                .map(run -> run.used(reading.round()))
                .orElse(reading.round().used())
                .counted());
        metrics.gauge("elasticrun_restarts_allowed", "Restarts that the run may use.", reading -> reading.run()
                .map(run -> run.terms().maxRestarts())
                .orElse(context.settings().restarts().budget().max()));
        metrics.gauge(
                "elasticrun_checkpoint_version",
                "Newest checkpoint that the run is known to have completed.",
                Reading::checkpoint);
        metrics.gauge(
                "elasticrun_nodes",
                "Live nodes of the run, by what their agents report of them.",
                "phase",
                reading -> reading.run().map(AgentMetrics::nodesByPhase).orElse(Map.of()));
    }

    private static Map<String, Long> nodesByPhase(RunDescription run) {
        Map<String, Long> nodes = new TreeMap<>();
        for (NodePhase phase : NodePhase.values()) {
            nodes.put(phase.name().toLowerCase(Locale.ROOT), 0L);
        }
        for (NodeRecord node : run.nodes()) {
            nodes.merge(node.phase().name().toLowerCase(Locale.ROOT), 1L, Long::sum);
        }
        return nodes;
    }

    private void ofTime(MetricSink<Reading> metrics, RunObserver observer) {
        metrics.readCounter(
                "elasticrun_wall_seconds_total",
                "Time since this node's workers first worked.",
                reading -> reading.goodput().wall() / NANOS);
        metrics.readCounter(
                "elasticrun_committed_step_seconds_total",
                "Time in steps of this node's workers whose results are in a complete checkpoint.",
                reading -> reading.goodput().committed() / NANOS);
        metrics.readCounter(
                "elasticrun_lost_step_seconds_total",
                "Time in steps of this node's workers that were, or have to be, done again.",
                reading -> reading.goodput().lost() / NANOS);
        metrics.gauge(
                "elasticrun_pending_step_seconds",
                "Time in steps of this node's workers since the newest checkpoint.",
                reading -> reading.goodput().pending() / NANOS);
        metrics.gauge(
                "elasticrun_heartbeat_lag_seconds",
                "How much later than planned the renewal of this node's lease is; 0: it is not late.",
                reading -> heartbeatLag(observer.leaseDeadlineNanos()));
        metrics.gauge(
                "elasticrun_lease_margin_seconds",
                "For how long this node's lease can still be trusted.",
                reading -> leaseMargin(observer.leaseDeadlineNanos()));
    }

    // A negative margin means that the lease cannot be trusted.
    private double leaseMargin(long deadline) {
        return deadline == 0 ? 0 : (deadline - nanoTime.getAsLong()) / NANOS;
    }

    /** The deadline is counted from when the newest renewal was sent. */
    private double heartbeatLag(long deadline) {
        LeaseTimes times = context.config().times().lease();
        long sent = deadline - times.fence().toNanos();
        return deadline == 0
                ? 0
                : Math.max(0, nanoTime.getAsLong() - sent - times.heartbeat().toNanos()) / NANOS;
    }

    /** A worker that has no rank any more is in none of them. */
    private static void ofWorkers(MetricSink<Reading> metrics, RunObserver observer) {
        metrics.gauge(
                "elasticrun_worker_step",
                "Newest step that a worker reported.",
                "rank",
                reading -> by(WorkerStatus::getRank, reading, WorkerStatus::getStep));
        metrics.gauge(
                "elasticrun_worker_memory_bytes",
                "Resident memory of a worker's process.",
                "rank",
                reading -> by(WorkerStatus::getRank, reading, WorkerStatus::getMemoryBytes));
        metrics.gauge(
                "elasticrun_worker_metric",
                "Newest value that a worker's program published under a name.",
                List.of("rank", "name"),
                AgentMetrics::published);
        metrics.readCounter(
                "elasticrun_worker_restarts_total",
                "Processes that were started for a slot of this node after the first.",
                "slot",
                reading -> by(
                        WorkerStatus::getSlot, reading, worker -> Math.max(0, observer.starts(worker.getSlot()) - 1)));
        metrics.readCounter(
                "elasticrun_worker_cpu_seconds_total",
                "Processor time that a worker's process has used.",
                "rank",
                reading -> seconds(reading, WorkerStatus::hasCpuMillis, WorkerStatus::getCpuMillis));
        metrics.readCounter(
                "elasticrun_worker_gc_seconds_total",
                "Time that a worker's JVM has spent on collecting garbage.",
                "rank",
                reading -> seconds(reading, WorkerStatus::hasCollectionMillis, WorkerStatus::getCollectionMillis));
    }

    private static Map<List<String>, Double> published(Reading reading) {
        Map<List<String>, Double> values = new HashMap<>();
        for (WorkerStatus worker : reading.workers()) {
            worker.getMetricsList()
                    .forEach(metric -> values.put(
                            List.of(Integer.toString(worker.getRank()), metric.getName()), metric.getValue()));
        }
        return values;
    }

    private static Map<String, Double> seconds(
            Reading reading, Predicate<WorkerStatus> isKnown, ToLongFunction<WorkerStatus> millis) {
        Map<String, Double> values = new TreeMap<>();
        reading.workers().stream()
                .filter(isKnown)
                .forEach(worker -> values.put(Integer.toString(worker.getRank()), millis.applyAsLong(worker) / MILLIS));
        return values;
    }

    private static Map<String, Long> by(
            ToLongFunction<WorkerStatus> key, Reading reading, ToLongFunction<WorkerStatus> value) {
        Map<String, Long> values = new TreeMap<>();
        reading.workers()
                .forEach(worker -> values.put(Long.toString(key.applyAsLong(worker)), value.applyAsLong(worker)));
        return values;
    }

    @Override
    public void incident(IncidentCause cause) {
        counted.forEach(to -> to.incidents().accept(cause.label()));
    }

    @Override
    public void recovered(IncidentFact.Recovered done) {
        counted.forEach(
                to -> done.nanos().forEach((phase, nanos) -> to.recoveries().accept(phase.label(), nanos / NANOS)));
    }

    @Override
    public void refused(long calls) {
        counted.forEach(to -> to.refused().accept(calls));
    }
}
