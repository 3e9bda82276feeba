/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentLog;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Two agents with two workers each on a real etcd; kills one worker again and again, then one agent with its workers, and
 * reports how long the survivors took to go on and how the failed node came back.
 */
final class RecoveryBench implements AutoCloseable {
    private static final int NODES = 2;
    private static final int WORKERS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Between two kills, so that each one hits a run at rest. */
    static final Duration REST = Duration.ofMillis(Integer.getInteger("bench.restMillis", 1000));

    private final Path directory;
    private final List<String> options;
    private final List<String> program;
    /** Oldest first: after any loss the oldest is the coordinator. */
    private final Deque<AgentProcess> agents = new ArrayDeque<>();

    private long round;

    private RecoveryBench(Path directory, String endpoint, int stepMillis, List<String> more) {
        this.directory = directory;
        this.program = Project.training(Integer.MAX_VALUE, stepMillis);
        this.options = new ArrayList<>(List.of(
                "--nnodes",
                "1:" + NODES,
                "--max-restarts",
                "1000",
                "--rejoin-back-off",
                "0",
                "--nproc-per-node",
                Integer.toString(WORKERS),
                "--rdzv-endpoint",
                endpoint,
                "--run-id",
                "bench-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()),
                "--restart-policy",
                "soft"));
        options.addAll(more);
    }

    /** @param more options of all agents */
    static String run(Path directory, String endpoint, int times, int stepMillis, List<String> more) {
        try (RecoveryBench bench = new RecoveryBench(directory, endpoint, stepMillis, more)) {
            String command =
                    "\n`elastic-run " + String.join(" ", bench.options) + " " + String.join(" ", bench.program) + "`\n";
            for (int node = 0; node < NODES; node++) {
                AgentProcess agent = bench.startAgent();
                Patience.until(
                        "workers of agent " + node,
                        LIMIT,
                        () -> !agent.log().running().isEmpty(),
                        agent::console);
            }
            bench.awaitEverybody("start of the run");
            return command + bench.killWorkers(times) + bench.killAgents(times);
        }
    }

    private String killWorkers(int times) {
        List<Recovery> recoveries = new ArrayList<>();
        List<Return> returns = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            Patience.pause(REST);
            AgentProcess failing = time % 2 == 0 ? agents.getFirst() : agents.getLast();
            AgentProcess survivor = time % 2 == 0 ? agents.getLast() : agents.getFirst();
            AgentLog.Slot victim = failing.log().running().get(time / 2 % WORKERS);
            ProcessHandle worker = failing.worker(victim.pid());
            long killed = System.nanoTime();
            worker.destroyForcibly();
            awaitSurvivors("recovery " + (time + 1) + " from a worker's death", survivor);
            recoveries.add(Recovery.of(killed, round, survivor.log(), logs()));
            long recovered = latest(survivor);
            awaitEverybody("return " + (time + 1) + " of a node after a worker's death");
            returns.add(Return.of(killed, recovered, survivor.log(), failing.log()));
            print("worker " + (time + 1) + " of " + times, recoveries.get(time), returns.get(time));
        }
        return Recovery.table("One worker killed", recoveries)
                + Return.table("Its node comes back", "the kill", returns);
    }

    private String killAgents(int times) {
        List<Recovery> coordinators = new ArrayList<>();
        List<Recovery> others = new ArrayList<>();
        List<Return> returns = new ArrayList<>();
        for (int time = 0; time < times; time++) {
            Patience.pause(REST);
            boolean coordinator = time % 2 == 0;
            AgentProcess failing = coordinator ? agents.removeFirst() : agents.removeLast();
            AgentProcess survivor = agents.getFirst();
            Recovery recovery;
            try (failing) {
                ProcessHandle jvm = failing.jvm();
                long killed = System.nanoTime();
                jvm.destroyForcibly();
                awaitSurvivors("recovery " + (time + 1) + " from an agent's death", survivor);
                recovery = Recovery.of(killed, round, survivor.log(), logs());
            }
            (coordinator ? coordinators : others).add(recovery);
            long recovered = latest(survivor);
            long started = System.nanoTime();
            AgentProcess returned = startAgent();
            awaitEverybody("return " + (time + 1) + " of a node after its agent's death");
            returns.add(Return.of(started, recovered, survivor.log(), returned.log()));
            print("agent " + (time + 1) + " of " + times, recovery, returns.get(time));
        }
        List<Recovery> all =
                Stream.concat(coordinators.stream(), others.stream()).toList();
        return Recovery.table("An agent killed with its workers", all)
                + Recovery.table("Of these, the coordinator", coordinators)
                + Recovery.table("Of these, another agent", others)
                + Return.table("A new agent takes its place", "its start", returns);
    }

    /** Progress, apart from the tables. */
    private static void print(String killed, Recovery recovery, Return back) {
        System.err.printf(
                "killed %s: resumed after %.1f ms, paused for the return %.1f ms%n",
                killed, recovery.resumed(), back.paused());
    }

    private AgentProcess startAgent() {
        AgentProcess agent = AgentProcess.start(directory, options, program);
        agents.addLast(agent);
        return agent;
    }

    private void awaitSurvivors(String awaited, AgentProcess survivor) {
        Patience.until(awaited, LIMIT, () -> survivor.log().resumedAfter(round).size() == WORKERS, survivor::console);
    }

    /** Until all workers are in one round that is newer than the last such round. */
    private void awaitEverybody(String awaited) {
        round = awaitTogether(awaited, agents, NODES * WORKERS, round);
    }

    /** Until so many workers of these agents are in one round after that one; returns its number. */
    static long awaitTogether(String awaited, Collection<AgentProcess> agents, int workers, long after) {
        Supplier<List<AgentLog.Slot>> resumed = () -> agents.stream()
                .flatMap(agent -> agent.log().resumedAfter(after).stream())
                .toList();
        Patience.until(
                awaited, LIMIT, () -> AgentLog.Slot.areTogether(resumed.get(), workers, after), () -> agents.stream()
                        .map(AgentProcess::console)
                        .collect(Collectors.joining("\n")));
        return resumed.get().get(0).resumedRound();
    }

    private List<AgentLog> logs() {
        return agents.stream().map(AgentProcess::log).toList();
    }

    private static long latest(AgentProcess survivor) {
        return survivor.log().running().stream()
                .mapToLong(AgentLog.Slot::resumedNanos)
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        agents.forEach(AgentProcess::close);
    }
}
