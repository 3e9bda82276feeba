/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.CommandDesk;
import dev.elasticrun.agent.facts.NodeFacts;
import dev.elasticrun.agent.facts.RunFacts;
import dev.elasticrun.agent.http.KeyGate;
import dev.elasticrun.agent.http.MetricsRoute;
import dev.elasticrun.agent.http.Page;
import dev.elasticrun.agent.incident.IncidentCause;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.metrics.Readings;
import dev.elasticrun.agent.metrics.RunMeters;
import dev.elasticrun.rendezvous.LeaseTimes;
import dev.elasticrun.rendezvous.NodePhase;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunDescription;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What is served over HTTP, and from what it is made. Safe for use by any thread. */
final class WebParts {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AgentContext context;
    private final LongSupplier nanoTime;
    private final RunObserver observer;
    private final KeyGate gate;
    /** Set when metrics are served; what comes before that is the start, which is no incident. */
    private volatile RunObserver.Counters counters = RunObserver.Counters.NONE;

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
            Supplier<CompletableFuture<RunFacts>> run,
            Supplier<CompletableFuture<RunDescription>> described,
            Supplier<CompletableFuture<NodeFacts>> own,
            RunHistory.Agents events,
            LongSupplier dropped,
            CommandDesk desk,
            BiConsumer<String, String> refused) {}

    WebParts(AgentContext context, long epochMillis, LongSupplier nanoTime) {
        this.context = context;
        this.nanoTime = nanoTime;
        this.gate = new KeyGate(nanoTime);
        this.observer =
                new RunObserver(context.nodeId(), context.settings().slots(), epochMillis, nanoTime, new Forward());
    }

    RunObserver observer() {
        return observer;
    }

    /** Loads the metrics' library. */
    MetricsRoute metrics(Sources sources, boolean loopback) {
        RecentRun<RunDescription> run = new RecentRun<>(sources.described(), nanoTime);
        RecentRun<NodeFacts> own = new RecentRun<>(sources.own(), nanoTime);
        RunMeters meters = new RunMeters(
                context.runId(),
                context.nodeId(),
                () -> readings(run.get(), own.get(), sources.dropped().getAsLong()));
        counters = new Meters(meters);
        return new MetricsRoute(
                accept -> {
                    RunMeters.Page page = meters.scrape(accept);
                    return new MetricsRoute.Text(page.type(), page.text());
                },
                loopback);
    }

    private Readings readings(Optional<RunDescription> run, Optional<NodeFacts> own, long dropped) {
        AgentState state = observer.state();
        Round round = state == null || state.round() == null ? Round.NONE : state.round();
        long held = own.map(WebParts::checkpoint).orElse(0L);
        observer.seeCheckpoint(held);
        return new Readings(
                run.map(WebParts::nodesByPhase).orElse(Map.of()),
                round.worldSize(),
                round.number(),
                round.budgetUsed(),
                run.map(RunDescription::maxRestarts).orElse(context.settings().maxRestarts()),
                observer.goodput(),
                heartbeatLag(),
                leaseMargin(),
                Math.max(
                        held,
                        Math.max(
                                round.checkpoint().version(),
                                state == null ? 0 : state.checkpoint().version())),
                dropped,
                own.map(this::workers).orElse(List.of()));
    }

    /** The newest that a worker of the node which is in the round holds; 0 = none. */
    static long checkpoint(NodeFacts own) {
        return own.workers().stream()
                .filter(worker -> worker.rank() >= 0)
                .mapToLong(worker -> worker.gauge().version())
                .max()
                .orElse(0);
    }

    private static Map<String, Integer> nodesByPhase(RunDescription run) {
        Map<String, Integer> nodes = new TreeMap<>();
        for (NodePhase phase : NodePhase.values()) {
            nodes.put(phase.name().toLowerCase(Locale.ROOT), 0);
        }
        for (NodeRecord node : run.nodes()) {
            nodes.merge(node.phase().name().toLowerCase(Locale.ROOT), 1, Integer::sum);
        }
        return nodes;
    }

    private List<Readings.Worker> workers(NodeFacts own) {
        return own.workers().stream()
                .filter(worker -> worker.rank() >= 0)
                .map(worker -> new Readings.Worker(
                        worker.rank(),
                        worker.slot(),
                        observer.starts(worker.slot()),
                        worker.gauge().step(),
                        worker.gauge().memoryBytes()))
                .toList();
    }

    private double leaseMargin() {
        long deadline = observer.leaseDeadlineNanos();
        return deadline == 0 ? 0 : (deadline - nanoTime.getAsLong()) / NANOS;
    }

    /** The deadline is counted from when the newest renewal was sent. */
    private double heartbeatLag() {
        long deadline = observer.leaseDeadlineNanos();
        Timeouts times = context.config().times();
        long sent = deadline - LeaseTimes.fence(times.leaseTtl()).toNanos();
        return deadline == 0
                ? 0
                : Math.max(0, nanoTime.getAsLong() - sent - times.heartbeat().toNanos()) / NANOS;
    }

    /** The page, and what is behind it. */
    Page page(Sources sources) {
        RecentRun<RunFacts> recent = new RecentRun<>(sources.run(), nanoTime);
        RunHistory history = new RunHistory(
                context.files().run(), sources.events(), () -> recent.get().map(RunFacts::run), nanoTime);
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

    private final class Forward implements RunObserver.Counters {
        @Override
        public void incident(IncidentCause cause) {
            counters.incident(cause);
        }

        @Override
        public void recovered(IncidentFact.Recovered done) {
            counters.recovered(done);
        }

        @Override
        public void refused(long calls) {
            counters.refused(calls);
        }
    }

    private record Meters(RunMeters meters) implements RunObserver.Counters {
        @Override
        public void incident(IncidentCause cause) {
            meters.incident(cause);
        }

        @Override
        public void recovered(IncidentFact.Recovered done) {
            meters.recovered(done);
        }

        @Override
        public void refused(long calls) {
            meters.refused(calls);
        }
    }
}
