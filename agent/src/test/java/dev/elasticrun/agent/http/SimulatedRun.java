/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.http;

import dev.elasticrun.agent.trail.RoundSpan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A run that only a page sees: nodes of equal size, and rounds that a test makes. Safe for use by any thread. */
public final class SimulatedRun implements PageSource {
    private static final long BEGIN = 1_795_000_000_000L;

    private final int nodes;
    private final int slots;
    private final List<RoundSpan> rounds = new ArrayList<>();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final List<IncidentRows.Failed> failures = new ArrayList<>();
    private long now = BEGIN;
    private long step;
    private String state = "starting";

    public SimulatedRun(int nodes, int slots) {
        this.nodes = nodes;
        this.slots = slots;
        begin("start with " + nodes + " nodes", nodes, false);
    }

    /** So much time goes by, in which the workers take ten steps a second if they work. */
    public synchronized SimulatedRun pass(long millis) {
        now += millis;
        step += state.equals("working") ? millis / 100 : 0;
        return this;
    }

    /** A worker of that rank is killed; a new round without its node is sealed and not worked in yet. */
    public synchronized SimulatedRun fail(int rank) {
        RoundSpan last = rounds.remove(rounds.size() - 1);
        rounds.add(ended(last, now, now + 4));
        String node = "node-" + rank / slots;
        failures.add(new IncidentRows.Failed(
                List.of(rank), "rank " + rank + " on " + node + ": exit code 137, killed by SIGKILL"));
        now += 12;
        begin("worker failed on " + node, nodes - 1, false);
        state = "recovering";
        return this;
    }

    /** The workers of the newest round work. */
    public synchronized SimulatedRun resume() {
        RoundSpan last = rounds.remove(rounds.size() - 1);
        rounds.add(resumed(last, now));
        state = "working";
        return this;
    }

    /** The node that is missing comes back. */
    public synchronized SimulatedRun join() {
        RoundSpan last = rounds.remove(rounds.size() - 1);
        rounds.add(ended(last, now, now + 3));
        failures.add(new IncidentRows.Failed(List.of(), ""));
        now += 8;
        begin("1 node joins", nodes, false);
        state = "recovering";
        return this;
    }

    private void begin(String cause, int members, boolean suspended) {
        List<RoundSpan.Member> all = new ArrayList<>();
        for (int node = 0; node < members; node++) {
            all.add(new RoundSpan.Member("node-" + node, "node-" + node, node * slots, slots));
        }
        long number = rounds.size() + 1L;
        String kind = cause.contains("failed") ? "worker_failed" : cause.contains("join") ? "node_joined" : "other";
        rounds.add(new RoundSpan(
                number,
                number,
                cause,
                kind,
                suspended,
                number == 1,
                members * slots,
                now,
                now + 2,
                null,
                null,
                null,
                all));
    }

    private static RoundSpan ended(RoundSpan span, long broken, long paused) {
        return copy(span, span.resumed(), broken, paused);
    }

    private static RoundSpan resumed(RoundSpan span, long at) {
        return copy(span, at, null, null);
    }

    private static RoundSpan copy(
            RoundSpan span, @Nullable Long resumed, @Nullable Long broken, @Nullable Long paused) {
        return new RoundSpan(
                span.number(),
                span.incident(),
                span.cause(),
                span.kind(),
                span.suspended(),
                span.joined(),
                span.worldSize(),
                span.sealed(),
                span.published(),
                resumed,
                broken,
                paused,
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
                    ""));
            for (int slot = 0; slot < slots; slot++) {
                int rank = member.firstRank() + slot;
                ranks.add(new RunPicture.RankRow(
                        rank,
                        member.node(),
                        slot,
                        0,
                        4000 + rank,
                        state.equals("working") ? "working" : "paused",
                        step - rank % 2,
                        state.equals("working") ? 10.0 : 0.0,
                        step,
                        (300L << 20) + ((long) rank << 18),
                        120L));
            }
        }
        String size =
                newest.worldSize() + " workers on " + newest.members().size() + " nodes, round " + newest.number();
        RunPicture.Glance glance = new RunPicture.Glance(
                "imagenet-64",
                "node-0",
                "node-1",
                "soft-no-replace",
                state,
                state.equals("working") ? "All is well: " + size + "." : "Workers get ready to go on: " + size + ".",
                Math.max(1, nodes / 2),
                nodes,
                newest.number(),
                newest.worldSize(),
                newest.members().size(),
                rounds.size() / 2,
                3,
                step,
                20_000L,
                10.0,
                (20_000 - step) / 10,
                step,
                0.97);
        return new RunPicture(
                now,
                glance,
                rows,
                ranks,
                rounds,
                IncidentRows.of(rounds, round -> failures.get((int) round - 1)),
                List.of("drain", "scale", "restart", "dump", "stop"));
    }

    @Override
    public Optional<LogText> log(int rank, boolean stderr) {
        return rank < nodes * slots
                ? Optional.of(new LogText("/logs/worker-" + rank, "step 1\nstep 2\n", true))
                : Optional.empty();
    }

    @Override
    public CommandAnswer command(String name, Map<String, String> arguments) {
        commands.add(name + arguments);
        return new CommandAnswer(true, name + " is under way");
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
