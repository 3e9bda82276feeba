/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.samples.testing.SlurmCluster;
import dev.elasticrun.samples.testing.SshHosts;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/** Start, loss and return of an agent under each engine: three nodes with one worker each, soft, on one etcd. */
final class EnginesBench {
    /** More than Slurm takes to give up a node. */
    private static final Duration LIMIT = Duration.ofSeconds(150);

    /** Rare: for Slurm each look is a command. */
    private static final Duration POLL = Duration.ofMillis(100);

    private static final double NANOS = 1e9;

    private final Path directory;
    private final EtcdProcess etcd;
    private final Map<String, List<Double>> starts = new LinkedHashMap<>();
    /** By engine and event. */
    private final Map<String, Map<String, List<EngineLoss>>> losses = new LinkedHashMap<>();

    private EnginesBench(Path directory, EtcdProcess etcd) {
        this.directory = directory;
        this.etcd = etcd;
    }

    static String run(Path parent, int times) throws IOException {
        Path directory = Files.createDirectory(parent.resolve("engines"));
        Path temporary = Files.createDirectory(directory.resolve("tmp"));
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"));
                SshHosts hosts = SshHosts.start(directory, temporary, Engine.NODES);
                SlurmCluster slurm = SlurmCluster.start(directory, Engine.NODES)) {
            EnginesBench bench = new EnginesBench(directory, etcd);
            for (int time = 1; time <= times; time++) {
                bench.measure("hand-" + time, PlainEngine::new);
                bench.measure("ssh-" + time, run -> new SshEngine(run, hosts));
                bench.measure("slurm-" + time, run -> new SlurmEngine(run, slurm));
            }
            return bench.tables(times);
        }
    }

    private void measure(String id, Function<EngineRun, Engine> make) throws IOException {
        EngineRun run = new EngineRun(
                "engines-" + ProcessHandle.current().pid() + "-" + id,
                Files.createDirectory(directory.resolve(id)),
                etcd.endpoint());
        try (Engine engine = make.apply(run)) {
            long begun = System.nanoTime();
            engine.start();
            await("the start", () -> run.steps().together(begun, Engine.NODES).isPresent(), engine);
            long whole = run.steps().together(begun, Engine.NODES).orElseThrow();
            starts.computeIfAbsent(engine.title(), title -> new ArrayList<>()).add((whole - begun) / NANOS);
            for (Map.Entry<String, Engine.Loss> loss : engine.losses().entrySet()) {
                Patience.pause(RecoveryBench.REST);
                EngineLoss measured = measure(loss.getValue(), run, engine);
                System.err.println("engines: " + engine.title() + ", " + loss.getKey() + ": " + measured);
                losses.computeIfAbsent(engine.title(), title -> new LinkedHashMap<>())
                        .computeIfAbsent(loss.getKey(), name -> new ArrayList<>())
                        .add(measured);
            }
        }
    }

    /** All work. */
    private static EngineLoss measure(Engine.Loss loss, EngineRun run, Engine engine) {
        long before = System.nanoTime() - RecoveryBench.REST.toNanos();
        long done = System.nanoTime();
        loss.happen();
        double shown = Double.NaN;
        if (loss.notice() == Engine.Notice.SHOWN) {
            await("the engine's notice", loss::isShown, engine);
            shown = (System.nanoTime() - done) / NANOS;
        }
        StepLog.Change left = awaitChange("the others", run, before, Engine.NODES, Engine.NODES - 1, engine);
        long started = loss.bringBack();
        StepLog.Change back = awaitChange("the return", run, left.last(), Engine.NODES - 1, Engine.NODES, engine);
        return new EngineLoss(
                loss.notice() == Engine.Notice.CAUSE ? (left.last() - done) / NANOS : shown,
                left,
                back,
                (back.together() - started) / NANOS);
    }

    private static StepLog.Change awaitChange(
            String awaited, EngineRun run, long since, int before, int after, Engine engine) {
        await(awaited, () -> run.steps().change(since, before, after).isPresent(), engine);
        return run.steps().change(since, before, after).orElseThrow();
    }

    private static void await(String awaited, BooleanSupplier condition, Engine engine) {
        Patience.until(
                awaited,
                LIMIT,
                () -> {
                    boolean holds = condition.getAsBoolean();
                    if (!holds) {
                        Patience.pause(POLL);
                    }
                    return holds;
                },
                engine::state);
    }

    private String tables(int times) {
        StringBuilder text = new StringBuilder("\n### Engines, " + times + " times by turns, median (worst)\n\n");
        text.append("| agents started by | from the command until all work |\n|---|---|\n");
        starts.forEach((title, seconds) -> text.append("| " + title + " | "
                + EngineLoss.seconds(seconds.stream().mapToDouble(x -> x).toArray()) + " |\n"));
        text.append('\n').append(EngineLoss.HEADER);
        losses.forEach(
                (title, events) -> events.forEach((event, all) -> text.append(EngineLoss.row(title, event, all))));
        return text.toString();
    }
}
