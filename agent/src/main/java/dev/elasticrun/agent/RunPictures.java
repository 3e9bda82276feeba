/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.control.ForwardedLog;
import dev.elasticrun.agent.control.Neighbour;
import dev.elasticrun.agent.facts.Gauge;
import dev.elasticrun.agent.facts.KeptOut;
import dev.elasticrun.agent.facts.NodeAnswer;
import dev.elasticrun.agent.facts.NodeFacts;
import dev.elasticrun.agent.facts.RunFacts;
import dev.elasticrun.agent.facts.WorkerFacts;
import dev.elasticrun.agent.http.IncidentRows;
import dev.elasticrun.agent.http.PageSource;
import dev.elasticrun.agent.http.RunPicture;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.agent.logs.LogEnds;
import dev.elasticrun.rendezvous.NodeRecord;
import dev.elasticrun.rendezvous.Participant;
import dev.elasticrun.rendezvous.Round;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.RunIdentity;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes what the page shows from what all agents say, and what this one saw. Safe for use by any thread. */
final class RunPictures implements PageSource {
    private final AgentContext context;
    private final RunObserver observer;
    private final RecentRun<RunFacts> recent;
    private final BiConsumer<String, String> refused;
    private final RunHistory history;
    private final LogEnds logs;
    private final PageCommands commands;
    private @Nullable RunFacts full;

    RunPictures(
            AgentContext context,
            RunObserver observer,
            RecentRun<RunFacts> recent,
            RunHistory history,
            PageCommands commands,
            BiConsumer<String, String> refused) {
        this.context = context;
        this.observer = observer;
        this.recent = recent;
        this.refused = refused;
        this.commands = commands;
        this.history = history;
        this.logs = new LogEnds(context.files().directory());
    }

    @Override
    public RunPicture picture() {
        Optional<RunFacts> facts = facts();
        AgentState state = observer.state();
        boolean isOver = state != null && state.ending() != null;
        List<RoundSpan> rounds = observer.rounds();
        return new RunPicture(
                observer.millis(),
                glance(facts, rounds),
                facts.map(RunPictures::nodes).orElse(List.of()),
                facts.map(RunPictures::ranks).orElse(List.of()).stream()
                        .map(row -> isOver && !row.state().equals("failed") ? row.as("ended") : row)
                        .toList(),
                rounds,
                IncidentRows.of(incidents()),
                history.knownSince().map(Instant::toEpochMilli).orElse(null),
                PageCommands.NAMES);
    }

    /** At the end nodes leave the store, and the page shows those that there were. */
    private synchronized Optional<RunFacts> facts() {
        Optional<RunFacts> newest = recent.get();
        RunFacts known = full;
        if (newest.isPresent() && (known == null || !newest.get().run().nodes().isEmpty())) {
            full = newest.get();
        }
        return Optional.ofNullable(full);
    }

    private List<IncidentReport> incidents() {
        RunIdentity identity = identity();
        return identity == null ? List.of() : history.incidents(identity.incarnation());
    }

    private @Nullable RunIdentity identity() {
        AgentState state = observer.state();
        return state == null ? null : state.identity();
    }

    private RunPicture.Glance glance(Optional<RunFacts> facts, List<RoundSpan> rounds) {
        AgentState state = observer.state();
        RunDescription run = facts.map(RunFacts::run).orElse(null);
        Round round = newest(run, state);
        RunState now = RunState.of(
                state, round, rounds, facts.map(RunFacts::waitingFor).orElse(""), context.config());
        RunEnd end = RunEnd.of(state == null ? null : state.ending(), observer.ended());
        Gauge leader = facts.flatMap(RunPictures::leader).orElse(Gauge.NONE);
        facts.flatMap(all -> all.node(context.nodeId()))
                .flatMap(own -> Optional.ofNullable(own.facts()))
                .ifPresent(own -> observer.seeCheckpoint(WebParts.checkpoint(own)));
        double goodput = observer.goodput().ratio();
        long checkpoint = Math.max(
                round.checkpoint().version(),
                Math.max(
                        leader.version(), state == null ? 0 : state.checkpoint().version()));
        return new RunPicture.Glance(
                context.runId(),
                context.nodeId(),
                run == null ? "" : run.coordinator(),
                context.strategy().name(),
                now.name(),
                end.outcome(),
                end.root(),
                now.words() + facts.map(RunPictures::keptOut).orElse(""),
                context.config().size().minNodes(),
                context.config().size().maxNodes(),
                round.number(),
                round.worldSize(),
                round.participants().size(),
                round.budgetUsed(),
                run == null ? context.settings().maxRestarts() : run.maxRestarts(),
                positive(leader.step()),
                positive(leader.total()),
                leader.stepsPerSecond() < 0 ? null : rounded(leader.stepsPerSecond()),
                eta(leader),
                positive(checkpoint),
                goodput < 0 ? null : rounded(goodput));
    }

    private static Round newest(@Nullable RunDescription run, @Nullable AgentState state) {
        Round own = state == null ? null : state.round();
        Round stored = run == null ? null : run.round();
        if (own == null || (stored != null && stored.number() > own.number())) {
            return stored == null ? Round.NONE : stored;
        }
        return own;
    }

    /** The worker that is farthest: all take their steps together, and are asked one after the other. */
    private static Optional<Gauge> leader(RunFacts facts) {
        return workers(facts)
                .map(Placed::worker)
                .filter(worker -> worker.rank() >= 0)
                .map(WorkerFacts::gauge)
                .max(Comparator.comparingLong(Gauge::step).thenComparingDouble(Gauge::stepsPerSecond));
    }

    private static @Nullable Long eta(Gauge gauge) {
        return gauge.total() > 0 && gauge.stepsPerSecond() > 0
                ? Math.round((gauge.total() - gauge.step()) / gauge.stepsPerSecond())
                : null;
    }

    private record Placed(String node, WorkerFacts worker) {}

    private static Stream<Placed> workers(RunFacts facts) {
        return facts.nodes().stream().flatMap(answer -> {
            NodeFacts known = answer.facts();
            return known == null
                    ? Stream.empty()
                    : known.workers().stream().map(worker -> new Placed(answer.nodeId(), worker));
        });
    }

    private static List<RunPicture.RankRow> ranks(RunFacts facts) {
        List<RunPicture.RankRow> rows = new ArrayList<>();
        workers(facts).map(RunPictures::row).forEach(rows::add);
        for (NodeRecord node : facts.run().nodes()) {
            boolean silent = facts.node(node.nodeId()).map(NodeAnswer::facts).isEmpty();
            if (silent) {
                rows.addAll(unknown(node, facts.run().round()));
            }
        }
        rows.sort(
                Comparator.comparing(RunPicture.RankRow::rank, Comparator.nullsLast(Comparator.<Integer>naturalOrder()))
                        .thenComparing(RunPicture.RankRow::node)
                        .thenComparing(RunPicture.RankRow::slot));
        return rows;
    }

    private static RunPicture.RankRow row(Placed placed) {
        WorkerFacts worker = placed.worker();
        Gauge gauge = worker.gauge();
        return new RunPicture.RankRow(
                worker.rank() < 0 ? null : (Integer) worker.rank(),
                placed.node(),
                worker.slot(),
                worker.attempt(),
                worker.pid(),
                worker.state().text(),
                positive(gauge.step()),
                gauge.stepsPerSecond() < 0 ? null : (Double) rounded(gauge.stepsPerSecond()),
                positive(gauge.version()),
                positive(gauge.memoryBytes()),
                gauge.stillMillis() < 0 ? null : (Long) gauge.stillMillis());
    }

    /** Of a node whose agent does not answer the store knows the processes. */
    private static List<RunPicture.RankRow> unknown(NodeRecord node, @Nullable Round round) {
        Optional<Participant> place = place(node, round);
        return node.workers().stream()
                .map(worker -> new RunPicture.RankRow(
                        place.map(found -> found.firstRank() + worker.slot()).orElse(null),
                        node.nodeId(),
                        worker.slot(),
                        worker.attempt(),
                        worker.pid(),
                        "unknown",
                        null,
                        null,
                        null,
                        null,
                        null))
                .toList();
    }

    private static Optional<Participant> place(NodeRecord node, @Nullable Round round) {
        return round == null
                ? Optional.empty()
                : round.participant(node.nodeId()).filter(place -> place.generation() == node.generation());
    }

    private static List<RunPicture.NodeRow> nodes(RunFacts facts) {
        return facts.run().nodes().stream()
                .map(node -> new RunPicture.NodeRow(
                        node.nodeId(),
                        node.hostLabel(),
                        facts.keptOut(node.nodeId()).isPresent()
                                ? "kept out"
                                : node.phase().name().toLowerCase(Locale.ROOT),
                        place(node, facts.run().round())
                                .map(place -> place.slots() == 1
                                        ? Integer.toString(place.firstRank())
                                        : place.firstRank() + "-" + (place.firstRank() + place.slots() - 1))
                                .orElse(""),
                        facts.node(node.nodeId()).map(NodeAnswer::silence).orElse("was not asked"),
                        facts.keptOut(node.nodeId()).map(RunPictures::words).orElse("")))
                .toList();
    }

    private static String words(KeptOut kept) {
        // Whole minutes: the page is drawn anew for each change.
        long minutes = (kept.leftMillis() + 59_999) / 60_000;
        return kept.why() + (kept.leftMillis() < 0 ? "" : "; for " + minutes + " min more at most");
    }

    /** A run that works may do so without a node that is ready. */
    private static String keptOut(RunFacts facts) {
        List<String> names = facts.run().nodes().stream()
                .map(NodeRecord::nodeId)
                .filter(node -> facts.keptOut(node).isPresent())
                .toList();
        return names.isEmpty() ? "" : " Kept out: " + String.join(", ", names) + ".";
    }

    private static @Nullable Long positive(long value) {
        return value > 0 ? value : null;
    }

    /** More digits would change with every look, and tell nothing. */
    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }

    @Override
    public Optional<LogText> log(int rank, boolean stderr) throws IOException {
        Optional<RunPicture.RankRow> row = recent.get().map(RunPictures::ranks).orElse(List.of()).stream()
                .filter(worker -> worker.rank() != null && worker.rank() == rank)
                .findFirst();
        if (row.isEmpty()) {
            return Optional.empty();
        }
        RunPicture.RankRow worker = row.get();
        if (worker.node().equals(context.nodeId())) {
            LogEnds.End end = logs.read(worker.slot(), stderr);
            return Optional.of(new LogText(end.file().toString(), end.text(), end.whole()));
        }
        String text = ForwardedLog.end(owner(worker.node()), runKey(), context.tls(), worker.slot(), stderr);
        return Optional.of(new LogText("worker " + worker.slot() + " of node " + worker.node(), text, false));
    }

    private Neighbour owner(String nodeId) {
        return recent.get().stream()
                .flatMap(facts -> facts.run().nodes().stream())
                .filter(node -> node.nodeId().equals(nodeId))
                .findFirst()
                .map(node -> new Neighbour(node.nodeId(), node.address(), node.controlPort()))
                .orElseThrow(() -> new IllegalArgumentException("node: " + nodeId + " (expected: one of the run)"));
    }

    private byte[] runKey() {
        RunIdentity identity = identity();
        if (identity == null) {
            throw new IllegalArgumentException("run: not joined yet (expected: a moment later)");
        }
        return identity.runKey();
    }

    @Override
    public CommandAnswer command(String name, Map<String, String> arguments) {
        return commands.ask(name, arguments);
    }

    @Override
    public void refused(String path, String from) {
        refused.accept(path, from);
    }
}
