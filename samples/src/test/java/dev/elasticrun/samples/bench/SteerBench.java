/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.Step;
import dev.elasticrun.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Agents with one worker each on a real etcd, steered by commands: scaled from two nodes to four and back, and drained
 * of one of three. Reports how long the workers that were there before and after stood still, how many steps were done
 * twice, and how long the command took.
 */
final class SteerBench implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final List<String> options;
    private final List<String> program;
    private final Path directory;
    private final String runId;
    private final List<AgentProcess> agents = new ArrayList<>();
    private final List<Figures> scaleUps = new ArrayList<>();
    private final List<Figures> scaleDowns = new ArrayList<>();
    private final List<Figures> drains = new ArrayList<>();
    /** What workers of drained nodes printed. */
    private final List<String> ended = new ArrayList<>();

    private long round;

    /**
     * @param stall from PAUSE to the last survivor's first operation, in ms
     * @param command its wall time, in ms
     * @param done when the answer reported it: until the command was consumed and done, without the start of its JVM, in ms
     */
    private record Figures(double stall, double command, double done) {}

    private SteerBench(Path directory, String endpoint, int stepMillis) {
        this.directory = directory;
        this.program = Project.training(Integer.MAX_VALUE, stepMillis, "--report-every", "1");
        this.runId = "steer-" + ProcessHandle.current().pid();
        this.options =
                List.of("--nnodes", "1:2", "--rdzv-endpoint", endpoint, "--run-id", runId, "--restart-policy", "soft");
    }

    static String run(Path directory, String endpoint, int times, int stepMillis) {
        try (SteerBench bench = new SteerBench(directory, endpoint, stepMillis)) {
            for (int node = 0; node < 4; node++) {
                AgentProcess agent = bench.start();
                agent.await("ready", LIMIT, log -> !log.all("worker.ready").isEmpty());
            }
            bench.await(0, 2);
            for (int time = 0; time < times; time++) {
                bench.steer(bench.scaleUps, 4, "scale", "2:4");
                bench.steer(bench.scaleDowns, 2, "scale", "1:2");
            }
            bench.steer(new ArrayList<>(), 3, "scale", "1:3");
            for (int time = 0; time < times; time++) {
                bench.drain();
            }
            return "\n`elastic-run " + String.join(" ", bench.options) + " " + String.join(" ", bench.program) + "`\n"
                    + bench.table(times);
        }
    }

    private AgentProcess start() {
        AgentProcess agent = AgentProcess.start(directory, options, program);
        agents.add(agent);
        return agent;
    }

    /** One of three leaves; the one that stands by takes its place in the same round, so that there must be none. */
    private void drain() {
        while (agents.size() > 3) {
            AgentProcess surplus = agents.get(agents.size() - 1);
            command("drain", surplus.nodeId().orElseThrow());
            agents.remove(surplus);
            surplus.exitCode(LIMIT);
            ended.addAll(surplus.workerOutputs());
            await(round - 1, 3);
        }
        AgentProcess leaving = agents.remove(2);
        steer(drains, 2, "drain", leaving.nodeId().orElseThrow());
        leaving.exitCode(LIMIT);
        ended.addAll(leaving.workerOutputs());
        start();
        await(round, 3);
    }

    private void steer(List<Figures> into, int workers, String... arguments) {
        Patience.pause(RecoveryBench.REST);
        List<AgentProcess> before = members();
        long began = System.nanoTime();
        String answer = command(arguments);
        double millis = (System.nanoTime() - began) / 1e6;
        await(round, workers);
        List<AgentProcess> survivors =
                members().stream().filter(before::contains).toList();
        into.add(new Figures(
                survivors.stream()
                        .mapToDouble(agent -> stall(agent, began))
                        .max()
                        .orElse(Double.NaN),
                millis,
                done(began)));
        System.err.printf("%s: %s", String.join(" ", arguments), answer);
    }

    private double stall(AgentProcess agent, long began) {
        long paused = agent.log().after(began, "incident.paused").stream()
                .mapToLong(LoggedEvent::nanos)
                .min()
                .orElse(0);
        long resumed = agent.log().running().get(0).resumedNanos();
        return paused == 0 ? Double.NaN : (resumed - paused) / 1e6;
    }

    /** From the moment at which an agent was asked until it answered. */
    private double done(long began) {
        return agents.stream()
                .flatMap(agent -> agent.log().after(began, "command.done").stream()
                        .map(end -> (end.nanos()
                                        - agent.log()
                                                .after(began, "command.received")
                                                .get(0)
                                                .nanos())
                                / 1e6))
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(Double.NaN);
    }

    private String command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(Project.LAUNCHER.toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--yes", "--run-id", runId));
        Command.Result result = Command.run(Map.of(), LIMIT, command);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(command + ": " + result.output());
        }
        return result.output();
    }

    private List<AgentProcess> members() {
        return agents.stream()
                .filter(agent -> agent.log().running().stream().anyMatch(slot -> slot.resumedRound() == round))
                .toList();
    }

    /** Until so many workers are in one round that is newer. */
    private void await(long before, int workers) {
        Patience.until(
                workers + " workers in one round",
                LIMIT,
                () -> {
                    long newest = newest();
                    return newest > before
                            && agents.stream()
                                            .flatMap(agent -> agent.log().running().stream())
                                            .filter(slot -> slot.resumedRound() == newest)
                                            .count()
                                    == workers;
                },
                () -> String.join(
                        "\n", agents.stream().map(AgentProcess::console).toList()));
        round = newest();
    }

    private long newest() {
        return agents.stream()
                .flatMap(agent -> agent.log().running().stream())
                .mapToLong(slot -> slot.resumedRound())
                .max()
                .orElse(0);
    }

    /** Steps that were reported in a round and again in a later one. */
    private int stepsTwice() {
        int reached = 0;
        int twice = 0;
        long current = 0;
        List<Step> steps = Step.in(allOutputs());
        for (Step step : steps) {
            twice += step.round() != current && step.step() <= reached ? reached + 1 - step.step() : 0;
            current = step.round();
            reached = Math.max(reached, step.step());
        }
        return twice;
    }

    private Stream<String> allOutputs() {
        return Stream.concat(ended.stream(), agents.stream().flatMap(agent -> agent.workerOutputs().stream()));
    }

    private String table(int times) {
        return String.join(
                "\n",
                "",
                "### Steered by commands, " + times + " times each",
                "",
                "| ms | median | p90 | p99 | worst |",
                "|---|---|---|---|---|",
                row(
                        "`scale 2:4`: **pause of those that were there**",
                        scaleUps.stream().map(Figures::stall),
                        times),
                row(
                        "`scale 1:2`: **pause of those that stay**",
                        scaleDowns.stream().map(Figures::stall),
                        times),
                row("`drain`: **pause of those that stay**", drains.stream().map(Figures::stall), times),
                row(
                        "`scale 2:4`: from the question to the answer",
                        scaleUps.stream().map(Figures::done),
                        times),
                row("`drain`: from the question to the answer", drains.stream().map(Figures::done), times),
                row("`drain`: wall time of the command", drains.stream().map(Figures::command), times),
                "",
                "Steps that were done twice: " + stepsTwice() + ".",
                "");
    }

    private static String row(String title, Stream<Double> millis, int times) {
        return Recovery.column(millis).row(title, times);
    }

    @Override
    public void close() {
        agents.forEach(AgentProcess::close);
    }
}
