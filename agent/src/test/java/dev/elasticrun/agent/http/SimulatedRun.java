/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.agent.incident.RoundSpan;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseFields;
import dev.elasticrun.rendezvous.restart.CauseText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A run that only a page sees: nodes of equal size, and rounds that a test makes. Safe for use by any thread. */
public final class SimulatedRun implements PageSource {
    /** The first line is for people. */
    private static final String PROFILE = """
            20 samples of rank 1 on node-1 in 10 s
            java;app.Train.main;app.Model.gradient 12
            java;app.Train.main;app.Data.read 3
            native;app.Train.main;sun.nio.ch.SocketDispatcher.read0 5
            """;

    private static final long BEGIN = 1_795_000_000_000L;
    private static final String COORDINATOR = "node-1";

    private final int nodes;
    private final int slots;
    private final List<RoundSpan> rounds = new ArrayList<>();
    private final SimulatedEvents events = new SimulatedEvents();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private List<String> members = List.of();
    private List<String> alive = List.of();
    private String missing = "";
    private long number;
    private long incident;
    private long now = BEGIN;
    private long step;
    private int restarts;
    private String outcome = "";
    private String state = "starting";
    private String waits = "";

    public SimulatedRun(int nodes, int slots) {
        this.nodes = nodes;
        this.slots = slots;
        List<String> all = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            all.add("node-" + node);
        }
        all.forEach(node -> report(
                node,
                now,
                "run.joined",
                "host",
                node,
                "policy",
                "soft-no-replace",
                "min_nodes",
                Math.max(1, nodes / 2),
                "max_restarts",
                3));
        all.forEach(node -> eachSlot(slot -> report(node, now, "worker.started", "slot", slot, "attempt", 0)));
        now += 600;
        all.forEach(node -> eachSlot(slot -> report(node, now, "worker.ready", "slot", slot, "attempt", 0)));
        begin(new Cause.Started(nodes), all, false);
    }

    private void report(String node, long millis, String kind, Object... more) {
        events.add(node, number, incident, millis, kind, more);
    }

    private interface SlotAction {
        void of(int slot);
    }

    private void eachSlot(SlotAction action) {
        for (int slot = 0; slot < slots; slot++) {
            action.of(slot);
        }
    }

    /** So much time goes by, in which the workers take ten steps a second if they work. */
    public synchronized SimulatedRun pass(long millis) {
        now += millis;
        step += state.equals("working") ? millis / 100 : 0;
        return this;
    }

    /** A worker of that rank is killed; a new round without its node is sealed and not worked in yet. */
    public synchronized SimulatedRun fail(int rank) {
        missing = members.get(rank / slots);
        failed(rank);
        List<String> left =
                members.stream().filter(node -> !node.equals(missing)).toList();
        begin(new Cause.WorkersFailed(List.of(missing)), left, false);
        state = "recovering";
        return this;
    }

    /** A worker of that rank is killed, and the run waits for as many nodes as it needs. */
    public synchronized SimulatedRun failAndWait(int rank) {
        missing = members.get(rank / slots);
        failed(rank);
        waits = "waiting for nodes: 1 of at least 2 (" + COORDINATOR + ")";
        begin(new Cause.WorkersFailed(List.of(missing)), List.of(), true);
        report(COORDINATOR, now, "run.waiting", "message", waits);
        state = "waiting";
        return this;
    }

    private void failed(int rank) {
        int slot = rank % slots;
        restarts++;
        report(
                missing,
                now,
                "worker.exited",
                "slot",
                slot,
                "attempt",
                0,
                "exit_code",
                137,
                "step",
                step,
                "version",
                step);
        report(
                missing,
                now + 1,
                "worker.failed",
                "slot",
                slot,
                "attempt",
                0,
                "rank",
                rank,
                "pid",
                4000 + rank,
                "exit_code",
                137,
                "how",
                "signal",
                "message",
                "killed by SIGKILL (9)",
                "collateral",
                false);
        end(now, now + 4);
        now += 12;
    }

    /** What is there stops to work, as an agent sees that answers the page. */
    private void end(long broken, long paused) {
        long round = number;
        RoundSpan last = rounds.remove(rounds.size() - 1);
        rounds.add(copy(last, last.times().resumed(), broken, paused));
        alive = alive.stream().filter(node -> !node.equals(missing)).toList();
        alive.forEach(node -> {
            report(node, paused, "incident.paused", "paused_round", round);
            eachSlot(slot -> report(
                    node, paused + 1, "pause.acknowledged", "slot", slot, "attempt", 0, "step", step, "version", step));
        });
    }

    /** The workers of the newest round work. */
    public synchronized SimulatedRun resume() {
        RoundSpan last = rounds.remove(rounds.size() - 1);
        rounds.add(copy(last, now, null, null));
        state = "working";
        long round = number;
        members.forEach(node -> eachSlot(slot -> {
            report(node, now, "worker.resumed", "slot", slot, "attempt", 0, "resumed_round", round, "version", step);
            report(node, now, "worker.progressed", "slot", slot, "attempt", 0, "step", step + 1);
        }));
        return this;
    }

    /** The node that is missing comes back. */
    public synchronized SimulatedRun join() {
        String back = missing;
        missing = "";
        waits = "";
        end(now, now + 3);
        now += 8;
        List<String> all = new ArrayList<>(alive);
        all.add(back);
        begin(new Cause.NodesJoined(1), all, false);
        state = "recovering";
        return this;
    }

    /** All workers have done all their steps. */
    public synchronized SimulatedRun succeed() {
        step = 20_000;
        state = "ending";
        outcome = "succeeded";
        end(now, now);
        report(COORDINATOR, now, "run.ended", "succeeded", true, "exit_code", 0, "reason", "all workers succeeded");
        return this;
    }

    /** A worker failed, and no restart is left. */
    public synchronized SimulatedRun end() {
        state = "ending";
        outcome = "failed";
        end(now, now);
        return this;
    }

    private void begin(Cause why, List<String> who, boolean suspended) {
        String cause = CauseText.of(List.of(why));
        List<Map<String, Object>> causes = CauseFields.of(List.of(why));
        members = List.copyOf(who);
        List<RoundSpan.Member> all = new ArrayList<>();
        for (String node : members) {
            all.add(new RoundSpan.Member(node, node, all.size() * slots, slots));
        }
        int world = members.size() * slots;
        boolean waited = !rounds.isEmpty() && rounds.get(rounds.size() - 1).suspended();
        long next = suspended ? number : number + 1;
        report(COORDINATOR, now - 4, "round.decided", "cause", cause, "causes", causes, "next_round", number + 1);
        number = next;
        incident += waited ? 0 : 1;
        report(
                COORDINATOR,
                now,
                suspended ? "round.suspended" : "round.sealed",
                "cause",
                cause,
                "causes",
                causes,
                "world_size",
                world,
                "nodes",
                members,
                "budget_used",
                restarts);
        if (!suspended) {
            alive = members;
            all.forEach(member -> report(
                    member.node(),
                    now + 2,
                    "work.published",
                    "cause",
                    cause,
                    "causes",
                    causes,
                    "world_size",
                    world,
                    "rank",
                    member.firstRank()));
        }
        rounds.add(new RoundSpan(
                number,
                cause,
                suspended,
                rounds.isEmpty(),
                world,
                new RoundSpan.Times(now, suspended ? null : (Long) (now + 2), null, null, null),
                all));
    }

    private static RoundSpan copy(
            RoundSpan span, @Nullable Long resumed, @Nullable Long broken, @Nullable Long paused) {
        return new RoundSpan(
                span.number(),
                span.cause(),
                span.suspended(),
                span.joined(),
                span.worldSize(),
                new RoundSpan.Times(span.times().sealed(), span.times().published(), resumed, broken, paused),
                span.members());
    }

    @Override
    public synchronized RunPicture picture() {
        RoundSpan newest = rounds.get(rounds.size() - 1);
        List<RunPicture.RankRow> ranks = new ArrayList<>();
        List<RunPicture.NodeRow> rows = new ArrayList<>();
        for (RoundSpan.Member member : newest.members()) {
            rows.add(new RunPicture.NodeRow(
                    member.node(),
                    member.host(),
                    "active",
                    member.firstRank() + "-" + (member.firstRank() + slots - 1),
                    "",
                    ""));
            eachSlot(slot -> ranks.add(row(member.node(), member.firstRank() + slot, slot)));
        }
        if (newest.suspended()) {
            alive.forEach(node -> {
                rows.add(new RunPicture.NodeRow(node, node, "ready", "", "", ""));
                eachSlot(slot -> ranks.add(row(node, null, slot)));
            });
        }
        return new RunPicture(
                now,
                glance(newest),
                rows,
                ranks,
                rounds,
                new RunPicture.Past(IncidentRows.of(events.incidents()), null),
                state.equals("ending") ? List.of() : List.of("drain", "scale", "restart", "dump", "profile", "stop"));
    }

    private RunPicture.RankRow row(String node, @Nullable Integer rank, int slot) {
        boolean works = state.equals("working");
        String what = works ? "working" : state.equals("ending") ? "ended" : "paused";
        long known = rank == null ? slot : rank;
        return new RunPicture.RankRow(
                new RunPicture.Place(rank, node, slot, 0, 4000 + known),
                new RunPicture.Gauges(
                        what, step - known % 2, works ? 10.0 : 0.0, step, (300L << 20) + (known << 18), 120L));
    }

    private RunPicture.Glance glance(RoundSpan newest) {
        String size =
                newest.worldSize() + " workers on " + newest.members().size() + " nodes, round " + newest.number();
        String words =
                switch (state) {
                    case "working" -> "Working: " + size + ".";
                    case "waiting" -> "All workers are paused: " + newest.cause() + ". The coordinator: " + waits + ".";
                    case "ending" ->
                        outcome.equals("failed")
                                ? "The run has failed: no restart is left."
                                : "The run has succeeded: all workers succeeded.";
                    default -> "Workers get ready to go on: " + size + ".";
                };
        return new RunPicture.Glance(
                new RunPicture.Names("imagenet-64", "node-0", COORDINATOR, "soft-no-replace"),
                new RunPicture.Condition(
                        state,
                        outcome,
                        outcome.equals("failed")
                                ? "Rank 3 on node node-1, attempt 0\njava.lang.IllegalStateException: no"
                                : "",
                        words),
                new RunPicture.Size(
                        Math.max(1, nodes / 2),
                        nodes,
                        newest.number(),
                        newest.worldSize(),
                        newest.members().size()),
                new RunPicture.Restarts(restarts, 3, "", null),
                new RunPicture.Progress(
                        step, 20_000L, state.equals("working") ? 10.0 : null, (20_000 - step) / 10, step, 0.97));
    }

    @Override
    public synchronized CurvePicture curves() {
        return SimulatedCurves.of(now, rounds, slots);
    }

    @Override
    public Optional<LogText> log(int rank, boolean stderr) {
        return rank < nodes * slots
                ? Optional.of(new LogText("/logs/worker-" + rank, stderr ? "" : "step 1\nstep 2\n", true))
                : Optional.empty();
    }

    @Override
    public CommandAnswer command(String name, Map<String, String> arguments) {
        commands.add(name + arguments);
        return new CommandAnswer(true, name.equals("profile") ? PROFILE : name + " is under way");
    }

    @Override
    public void refused(String path, String from) {
        refusals.add(path + " from " + from);
    }

    /** What was refused for lack of the key. */
    public List<String> refusals() {
        return refusals;
    }

    /** What was asked for by who knew the key. */
    public List<String> commands() {
        return commands;
    }
}
