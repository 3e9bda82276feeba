/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.rendezvous.store.EtcdProcess;
import dev.elasticrun.rendezvous.store.FreePort;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.SlurmCluster;
import dev.elasticrun.samples.testing.SlurmElement;
import dev.elasticrun.samples.testing.Torch;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * One batch file for torchrun and for elastic-run, on real Slurm daemons, by turns: three elements with one worker each, one
 * of which is preempted, queued again, and comes back.
 */
final class SlurmBench {
    private static final int NODES = 3;
    private static final int STEP_MILLIS = 50;
    /** Some checkpoints of the script before the preemption. */
    private static final int STEPS_BEFORE = 40;

    private static final Duration LIMIT = Duration.ofSeconds(150);

    /** Queues an element again that was preempted, since Slurm does not if it ends within its grace time. */
    private static final String FILE = """
            #!/bin/bash
            #SBATCH --array=0-%d --nodes=1 --ntasks=1 --cpus-per-task=%d
            #SBATCH --partition=spot --requeue --open-mode=append --output=%s
            cut --delimiter=' ' --fields=1 /proc/uptime >> %s
            srun --ntasks=1 --kill-on-bad-exit=1 --cpus-per-task=%d %s
            rc=$?
            element=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
            case $(scontrol --oneliner show job "$element") in
              *PreemptTime=[0-9]*) scontrol requeue "$element" ;;
            esac
            exit $rc
            """;

    private final SlurmCluster slurm;
    private final EtcdProcess etcd;
    private final Torch torch;
    private final Path directory;
    private final Path script;
    private int turns;

    private SlurmBench(SlurmCluster slurm, EtcdProcess etcd, Torch torch, Path directory) throws IOException {
        this.slurm = slurm;
        this.etcd = etcd;
        this.torch = torch;
        this.directory = directory;
        this.script = directory.resolve("ddp.py");
        try (InputStream source = Objects.requireNonNull(SlurmBench.class.getResourceAsStream("/ddp.py"))) {
            Files.write(script, source.readAllBytes());
        }
    }

    /**
     * One turn.
     *
     * @param loss from three to two
     * @param back from two to three
     * @param joined seconds from the start of the element that came back until the world was three
     */
    private record Turn(StepLog.Change loss, StepLog.Change back, double joined) {}

    static String run(Path parent, int times) throws IOException {
        Path directory = Files.createDirectory(parent.resolve("slurm-torch"));
        Map<String, List<Turn>> measured = new LinkedHashMap<>();
        try (EtcdProcess etcd = EtcdProcess.start(directory.resolve("etcd"));
                SlurmCluster slurm = SlurmCluster.start(directory, NODES)) {
            SlurmBench bench = new SlurmBench(slurm, etcd, Torch.find(), directory);
            for (int time = 1; time <= times; time++) {
                bench.turn("torchrun", measured, bench::torchrun);
                bench.turn("torchrun, `last_call_timeout=1`, `--monitor_interval 0.1`", measured, bench::tunedTorchrun);
                bench.turn("elastic-run, `hard`, the same script", measured, bench::hard);
                bench.turn("elastic-run, `soft`, a JVM", measured, bench::soft);
            }
        }
        return table(measured, times);
    }

    private void turn(String name, Map<String, List<Turn>> measured, Supplier<String> launcher) throws IOException {
        turns++;
        Path own = Files.createDirectory(directory.resolve("turn-" + turns));
        Turn turn = measure(own, launcher.get());
        measured.computeIfAbsent(name, key -> new ArrayList<>()).add(turn);
        System.err.println("slurm: " + name + ": " + turn);
    }

    private Turn measure(Path own, String launcher) throws IOException {
        Path starts = own.resolve("starts");
        Path file = Files.writeString(
                own.resolve("job.sbatch"),
                FILE.formatted(
                        NODES - 1,
                        SlurmCluster.CPUS,
                        own.resolve("%a.out"),
                        starts,
                        SlurmCluster.CPUS,
                        launcher.replace("OWN", own.toString())));
        Supplier<String> state = () -> outputs(own) + slurm.state();
        long begun = System.nanoTime();
        String job = slurm.run("sbatch", "--parsable", file.toString());
        try {
            long together = await("the start", () -> StepLog.read(own).together(begun, NODES), state);
            Patience.pause(Duration.ofMillis((long) STEPS_BEFORE * STEP_MILLIS));
            // Not the one whose agent has torchrun's store.
            SlurmElement.Preemption preemption =
                    SlurmElement.of(slurm, job, NODES - 1).preempt();
            StepLog.Change loss =
                    await("the loss", () -> StepLog.read(own).change(together - 1, NODES, NODES - 1), state);
            preemption.end();
            StepLog.Change back =
                    await("the return", () -> StepLog.read(own).change(loss.last(), NODES - 1, NODES), state);
            return new Turn(loss, back, (back.together() - newest(starts)) / 1e9);
        } finally {
            slurm.endJobs();
        }
    }

    /** When the last element started, on the clock of the steps. */
    private static long newest(Path starts) throws IOException {
        List<String> lines = Files.readAllLines(starts);
        String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
        double ago = Double.parseDouble(uptime) - Double.parseDouble(lines.get(lines.size() - 1));
        return System.nanoTime() - Math.round(ago * 1e9);
    }

    private static <T> T await(String awaited, Supplier<Optional<T>> read, Supplier<String> state) {
        Patience.until(awaited, LIMIT, () -> read.get().isPresent(), state);
        return read.get().orElseThrow();
    }

    private static String outputs(Path own) {
        StringBuilder text = new StringBuilder();
        for (int element = 0; element < NODES; element++) {
            try {
                text.append(Files.readString(own.resolve(element + ".out")));
            } catch (IOException e) {
                text.append(e);
            }
        }
        return text.toString();
    }

    /** The host of element 0 serves the store, which torchrun would know by the name of the host if each had its own. */
    private String torchrun() {
        return torchrun("");
    }

    private String tunedTorchrun() {
        return torchrun(",last_call_timeout=1 --monitor_interval=0.1");
    }

    private String torchrun(String more) {
        return python() + "python3 -m torch.distributed.run --nnodes=2:" + NODES
                + " --nproc_per_node=1 --max_restarts=100"
                + " --redirects=1 --tee=1"
                + " --rdzv_backend=c10d --rdzv_id=$SLURM_ARRAY_JOB_ID --rdzv_endpoint=127.0.0.1:" + FreePort.find()
                + " --rdzv_conf=is_host=$([ $SLURM_ARRAY_TASK_ID = 0 ] && echo true || echo false)" + more + " "
                + script();
    }

    private String hard() {
        return python() + elastic("hard") + script();
    }

    private String soft() {
        return elastic("soft") + "--class-path " + Project.TEST_CLASS_PATH + " --main-class "
                + StepLogWorker.class.getName() + " " + Project.PROGRAM + " " + STEP_MILLIS + " OWN";
    }

    private String elastic(String policy) {
        return Project.LAUNCHER + " --nnodes=2:" + NODES + " --nproc-per-node=1 --rdzv-endpoint=" + etcd.endpoint()
                + " --log-dir=OWN --restart-policy=" + policy + " ";
    }

    /** Slurm's commands, if they are only unpacked, have libraries of their own in the variable that PyTorch needs. */
    private String python() {
        return torch.environment().entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue() + " ")
                .collect(Collectors.joining("", "env ", ""));
    }

    private String script() {
        return script + " 1000000 OWN/checkpoint.pt " + STEP_MILLIS + " OWN";
    }

    private static String table(Map<String, List<Turn>> measured, int times) {
        List<String> lines = new ArrayList<>(List.of(
                "",
                "### One batch file of Slurm, an element preempted and queued again, " + times + " times by turns",
                "",
                "| median (worst) | 3 to 2: pause | steps again | processes kept | 2 to 3: pause | steps again"
                        + " | processes kept | from the element's start |",
                "|---|---|---|---|---|---|---|---|"));
        measured.forEach((name, all) -> lines.add("| " + name + " | "
                + seconds(all, turn -> turn.loss.paused()) + " | "
                + counts(all, turn -> turn.loss.lost()) + " | "
                + kept(all, turn -> turn.loss.kept()) + " | "
                + seconds(all, turn -> turn.back.paused()) + " | "
                + counts(all, turn -> turn.back.lost()) + " | "
                + kept(all, turn -> turn.back.kept()) + " | "
                + seconds(all, Turn::joined) + " |"));
        lines.add("");
        return String.join("\n", lines);
    }

    private static String seconds(List<Turn> turns, ToDoubleFunction<Turn> of) {
        Distribution all = of(turns, of);
        return String.format(Locale.ROOT, "%.2f s (%.2f)", all.median(), all.worst());
    }

    private static String counts(List<Turn> turns, ToDoubleFunction<Turn> of) {
        Distribution all = of(turns, of);
        return String.format(Locale.ROOT, "%.1f (%.0f)", all.median(), all.worst());
    }

    private static String kept(List<Turn> turns, ToDoubleFunction<Turn> of) {
        return String.format(Locale.ROOT, "%.0f of 2", of(turns, of).median());
    }

    private static Distribution of(List<Turn> turns, ToDoubleFunction<Turn> of) {
        return Distribution.of(turns.stream().mapToDouble(of).toArray());
    }
}
