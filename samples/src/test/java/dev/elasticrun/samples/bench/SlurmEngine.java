/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.bench;

import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.SlurmCluster;
import dev.elasticrun.samples.testing.SlurmElement;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code elastic-run submit --scheduler slurm}. */
final class SlurmEngine implements Engine {
    private static final String JOB = "slurm://";

    private final EngineRun run;
    private final SlurmCluster slurm;
    private @Nullable SlurmElement last;

    SlurmEngine(EngineRun run, SlurmCluster slurm) {
        this.run = run;
        this.slurm = slurm;
    }

    @Override
    public String title() {
        return "Slurm 22.05";
    }

    @Override
    public void start() {
        List<String> line = new ArrayList<>(List.of(
                Project.LAUNCHER.toString(),
                "submit",
                "--scheduler=slurm",
                "--scheduler-args=partition=spot,cpus-per-task=" + SlurmCluster.CPUS + ",output=" + run.directory()
                        + "/%a.out,elastic-run=" + Project.LAUNCHER,
                "--log-dir=" + run.directory()));
        line.addAll(run.options());
        line.addAll(run.program());
        String output = Command.run(slurm.environment(), TestRun.LIMIT, line).output();
        String job = output.substring(output.lastIndexOf(JOB) + JOB.length()).strip();
        last = SlurmElement.of(slurm, job, NODES - 1);
    }

    @Override
    public Map<String, Loss> losses() {
        Map<String, Loss> losses = new LinkedHashMap<>();
        losses.put("an element is preempted", new Preempted());
        losses.put("an agent gets KILL", new Killed());
        losses.put("a node dies with its `slurmd`", new Dead());
        return losses;
    }

    private SlurmElement last() {
        return Objects.requireNonNull(last, "last");
    }

    @Override
    public String state() {
        return slurm.state();
    }

    @Override
    public void close() {
        slurm.endJobs();
    }

    private abstract class ElementLoss implements Loss {
        @Override
        public Notice notice() {
            return Notice.SHOWN;
        }

        @Override
        public boolean isShown() {
            return !last().state().equals("RUNNING");
        }

        @Override
        public long bringBack() {
            queueAgain();
            last().awaitState("RUNNING");
            return System.nanoTime();
        }

        abstract void queueAgain();
    }

    private final class Preempted extends ElementLoss {
        private SlurmElement.@Nullable Preemption preemption;

        @Override
        public Notice notice() {
            return Notice.CAUSE;
        }

        @Override
        public void happen() {
            preemption = last().preempt();
        }

        @Override
        void queueAgain() {
            Objects.requireNonNull(preemption, "preemption").end();
        }
    }

    private final class Killed extends ElementLoss {
        @Override
        public void happen() {
            run.agent("SLURM_ARRAY_TASK_ID=" + (NODES - 1) + "\0").destroyForcibly();
        }

        @Override
        void queueAgain() {
            last().requeue();
            last().startSoon();
        }
    }

    private final class Dead extends ElementLoss {
        private String node = "";

        @Override
        public void happen() {
            node = last().node();
            slurm.killNode(node);
        }

        @Override
        void queueAgain() {
            slurm.startNode(node);
            last().startSoon();
        }
    }
}
