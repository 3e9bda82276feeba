/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.web;

import dev.elasticrun.agent.context.AgentContext;
import dev.elasticrun.agent.control.ForwardedLog;
import dev.elasticrun.agent.control.RunStatus;
import dev.elasticrun.agent.http.CurvePicture;
import dev.elasticrun.agent.http.IncidentRows;
import dev.elasticrun.agent.http.PageSource;
import dev.elasticrun.agent.http.RunPicture;
import dev.elasticrun.agent.incident.IncidentReport;
import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.agent.liveness.Neighbour;
import dev.elasticrun.agent.logs.LogEnds;
import dev.elasticrun.agent.observe.RunObserver;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.worker.LiveStatus;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import dev.elasticrun.rendezvous.RunDescription;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.RunIdentity;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Builds what the page shows from the reports of all agents and the observations of this one. Safe for use by any
 * thread.
 */
public final class RunPictures implements PageSource {
    private final AgentContext context;
    private final RunObserver observer;
    private final RecentRun<RunStatus> recent;
    private final BiConsumer<String, String> refused;
    private final RunHistory history;
    private final LogEnds logs;
    private final RunCurves curves;
    private final PageCommands commands;
    private @Nullable RunStatus full;

    public RunPictures(
            AgentContext context,
            RunObserver observer,
            RecentRun<RunStatus> recent,
            RunHistory history,
            RunCurves curves,
            PageCommands commands,
            BiConsumer<String, String> refused) {
        this.context = context;
        this.observer = observer;
        this.recent = recent;
        this.refused = refused;
        this.curves = curves;
        this.commands = commands;
        this.history = history;
        this.logs = new LogEnds(context.files().directory());
    }

    @Override
    public RunPicture picture() {
        Optional<RunStatus> known = status();
        AgentState state = observer.state();
        boolean isOver = state != null && state.ending() != null;
        List<RoundSpan> rounds = observer.rounds();
        return new RunPicture(
                observer.millis(),
                glance(known, rounds),
                known.map(RunPictures::nodes).orElse(List.of()),
                known.map(run -> ranks(run.status(), isOver)).orElse(List.of()),
                rounds,
                new RunPicture.Past(
                        IncidentRows.of(incidents()),
                        history.knownSince().map(Instant::toEpochMilli).orElse(null)),
                isOver ? List.of() : PageCommands.NAMES);
    }

    // At the end nodes leave the store, and the page shows the last ones.
    private synchronized Optional<RunStatus> status() {
        Optional<RunStatus> newest = recent.get();
        RunStatus known = full;
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

    private RunPicture.Glance glance(Optional<RunStatus> known, List<RoundSpan> rounds) {
        AgentState state = observer.state();
        RunDescription run = known.map(RunStatus::run).orElse(null);
        StatusReply status = known.map(RunStatus::status).orElse(StatusReply.getDefaultInstance());
        Round round = newest(run, state);
        RunState now = RunState.of(state, round, rounds, status.getWaitingFor(), context.config());
        RunEnd end = RunEnd.of(state == null ? null : state.ending(), observer.ended());
        WorkerStatus leader = leader(status);
        status.getNodesList().stream()
                .filter(node -> node.getNodeId().equals(context.nodeId()))
                .forEach(own -> observer.seeCheckpoint(LiveStatus.checkpoint(own.getWorkersList())));
        double goodput = observer.goodput().ratio();
        long checkpoint = Math.max(
                round.checkpoint().version(),
                Math.max(
                        leader.getVersion(),
                        state == null ? 0 : state.checkpoints().newest().version()));
        return new RunPicture.Glance(
                new RunPicture.Names(
                        context.runId(),
                        context.nodeId(),
                        status.getCoordinator(),
                        context.strategy().name()),
                new RunPicture.Condition(now.name(), end.outcome(), end.root(), now.words() + keptOut(status)),
                new RunPicture.Size(
                        context.config().size().minNodes(),
                        context.config().size().maxNodes(),
                        round.number(),
                        round.worldSize(),
                        round.participants().size()),
                restarts(run, round),
                new RunPicture.Progress(
                        RunPicture.positive(leader.getStep()),
                        RunPicture.positive(leader.getTotal()),
                        RunPicture.rounded(leader.getStepsPerSecond()),
                        eta(leader),
                        RunPicture.positive(checkpoint),
                        RunPicture.rounded(goodput)));
    }

    private RunPicture.Restarts restarts(@Nullable RunDescription run, Round newest) {
        return run == null
                ? RunPicture.Restarts.of(context.settings().restarts().budget(), newest.used())
                : RunPicture.Restarts.of(run.terms().restarts(), run.used(newest));
    }

    private static Round newest(@Nullable RunDescription run, @Nullable AgentState state) {
        Round own = state == null ? null : state.round();
        Round stored = run == null ? null : run.round();
        if (own == null || (stored != null && stored.number() > own.number())) {
            return stored == null ? Round.NONE : stored;
        }
        return own;
    }

    // The worker with the most steps: all take their steps together, and are read one after the other.
    private static WorkerStatus leader(StatusReply run) {
        return run.getNodesList().stream()
                .flatMap(node -> node.getWorkersList().stream())
                .filter(worker -> worker.getRank() >= 0)
                .max(Comparator.comparingLong(WorkerStatus::getStep)
                        .thenComparingDouble(WorkerStatus::getStepsPerSecond))
                .orElse(LiveStatus.UNKNOWN);
    }

    private static @Nullable Long eta(WorkerStatus worker) {
        return worker.getTotal() > 0 && worker.getStepsPerSecond() > 0
                ? Math.round((worker.getTotal() - worker.getStep()) / worker.getStepsPerSecond())
                : null;
    }

    /** @param isOver whether the run ends: what did not fail has ended, whatever was read last */
    private static List<RunPicture.RankRow> ranks(StatusReply run, boolean isOver) {
        List<RunPicture.RankRow> rows = new ArrayList<>();
        for (NodeStatus node : run.getNodesList()) {
            for (WorkerStatus worker : node.getWorkersList()) {
                boolean ended = isOver && !worker.getState().equals("failed");
                WorkerStatus shown =
                        ended ? worker.toBuilder().setState("ended").build() : worker;
                rows.add(RunPicture.RankRow.of(node.getNodeId(), shown));
            }
        }
        rows.sort(Comparator.comparing(
                RunPicture.RankRow::place,
                Comparator.comparing(RunPicture.Place::rank, Comparator.nullsLast(Comparator.<Integer>naturalOrder()))
                        .thenComparing(RunPicture.Place::node)
                        .thenComparing(RunPicture.Place::slot)));
        return rows;
    }

    private static Optional<Participant> place(NodeRecord node, @Nullable Round round) {
        return round == null ? Optional.empty() : round.placeOf(node);
    }

    private static List<RunPicture.NodeRow> nodes(RunStatus known) {
        List<RunPicture.NodeRow> rows = new ArrayList<>();
        for (int i = 0; i < known.run().nodes().size(); i++) {
            NodeStatus node = known.status().getNodes(i);
            rows.add(new RunPicture.NodeRow(
                    node.getNodeId(),
                    node.getHostLabel(),
                    isKeptOut(node)
                            ? "kept out"
                            : node.getPhase().toLowerCase(Locale.ROOT).replace('_', ' '),
                    place(known.run().nodes().get(i), known.run().round())
                            .map(RunPictures::ranks)
                            .orElse(""),
                    node.getSilence(),
                    isKeptOut(node) ? words(node) : ""));
        }
        return rows;
    }

    private static String ranks(Participant place) {
        return place.size() == 1
                ? Integer.toString(place.firstRank())
                : place.firstRank() + "-" + (place.endRank() - 1);
    }

    private static boolean isKeptOut(NodeStatus node) {
        return !node.getKeptOut().isEmpty();
    }

    private static String words(NodeStatus kept) {
        // Whole minutes: the page is drawn anew for each change.
        long minutes = (kept.getKeptOutMillis() + 59_999) / 60_000;
        return kept.getKeptOut() + (kept.getKeptOutMillis() < 0 ? "" : "; for " + minutes + " min more at most");
    }

    /** A run that works may do so without a node that is ready. */
    private static String keptOut(StatusReply run) {
        List<String> names = run.getNodesList().stream()
                .filter(RunPictures::isKeptOut)
                .map(NodeStatus::getNodeId)
                .toList();
        return names.isEmpty() ? "" : " Kept out: " + String.join(", ", names) + ".";
    }

    @Override
    public CurvePicture curves() {
        return curves.picture();
    }

    @Override
    public Optional<LogText> log(int rank, boolean stderr) throws IOException {
        Optional<RunPicture.Place> row = recent.get().map(run -> ranks(run.status(), false)).orElse(List.of()).stream()
                .map(RunPicture.RankRow::place)
                .filter(worker -> worker.rank() != null && worker.rank() == rank)
                .findFirst();
        if (row.isEmpty()) {
            return Optional.empty();
        }
        RunPicture.Place worker = row.get();
        if (worker.node().equals(context.nodeId())) {
            LogEnds.End end = logs.read(worker.slot(), stderr);
            return Optional.of(new LogText(end.file().toString(), end.text(), end.whole()));
        }
        String text = ForwardedLog.end(owner(worker.node()), runKey(), context.tls(), worker.slot(), stderr);
        return Optional.of(new LogText("worker " + worker.slot() + " of node " + worker.node(), text, false));
    }

    private Neighbour owner(String nodeId) {
        return recent.get().stream()
                .flatMap(known -> known.status().getNodesList().stream())
                .filter(node -> node.getNodeId().equals(nodeId))
                .findFirst()
                .map(node -> new Neighbour(node.getNodeId(), node.getAddress(), node.getControlPort()))
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
