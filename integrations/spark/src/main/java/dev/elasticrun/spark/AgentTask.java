/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.spark;

import dev.elasticrun.spark.bridge.AgentEnd;
import dev.elasticrun.spark.bridge.AgentLibrary;
import dev.elasticrun.spark.bridge.Agents;
import dev.elasticrun.spark.bridge.BadLineException;
import dev.elasticrun.spark.bridge.RunningAgent;
import dev.elasticrun.spark.worker.ShardTraining;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.SparkEnv;
import org.apache.spark.SparkFiles;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/**
 * One agent in its executor, for as long as the run has a place for it, or until its pool is no longer wanted. A task that
 * is killed drains its agent; an executor that is killed takes agent and workers along. Blocks its thread.
 */
final class AgentTask extends AbstractFunction1<Iterator<Integer>, byte[]> implements Serializable {
    private static final long serialVersionUID = 1;

    private static final Duration POLL = Duration.ofMillis(100);
    /** For the workers' own handlers of TERM when the executor ends in good order. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    /** Of this executor. */
    private static final AtomicBoolean OCCUPIED = new AtomicBoolean();

    private final AgentPlan plan;
    private final RunProgress progress;

    AgentTask(AgentPlan plan, RunProgress progress) {
        this.plan = plan;
        this.progress = progress;
    }

    @Override
    public byte[] apply(Iterator<Integer> partition) {
        String executor = SparkEnv.get().executorId();
        String host = SparkEnv.get().blockManager().blockManagerId().host();
        AgentEnd end;
        if (OCCUPIED.compareAndSet(false, true)) {
            try {
                end = run(host);
            } finally {
                OCCUPIED.set(false);
            }
        } else {
            end = unusable("executor " + executor + " has several tasks at a time (expected: one; spark.task.cpus = "
                    + "spark.executor.cores)");
        }
        if (end.exitCode() == AgentEnd.STORE_LOST) {
            // Spark runs the task again, here or elsewhere; the others may go on.
            throw new IllegalStateException("executor " + executor + ": " + end.reason());
        }
        return new AgentOutcome(executor, host, end).bytes();
    }

    private AgentEnd run(String host) {
        try (RunFiles files = RunFiles.create()) {
            Agents agents = AgentLibrary.load(RunFiles.root());
            List<String> line = line(host, files);
            return await(plan.pool().isEmpty() ? agents.start(line, progress) : agents.join(line, plan.pool()));
        } catch (BadLineException e) {
            return unusable(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException("no directory for an agent", e);
        }
    }

    private List<String> line(String host, RunFiles files) throws IOException {
        List<String> line = new ArrayList<>(
                List.of("--local-addr", host, "--log-dir", RunFiles.logs().toString()));
        if (plan.runKey().length > 0) {
            line.addAll(List.of("--run-key-file", files.writeKey(plan.runKey()).toString()));
        }
        line.addAll(plan.options());
        if (plan.pool().isEmpty()) {
            addProgram(line, files);
        }
        return line;
    }

    private void addProgram(List<String> line, RunFiles files) throws IOException {
        Path program;
        if (plan.program().isEmpty()) {
            ApplicationClasses classes = ApplicationClasses.here();
            program = classes.jar(plan.mainClass());
            line.addAll(List.of("--class-path", classes.path(AgentLibrary.forWorkers(RunFiles.root()))));
            line.add("--env=" + ShardTraining.TASK + "=" + TaskContext.get().partitionId());
            line.add("--env=" + ShardTraining.SETTINGS + "="
                    + files.writeSettings(HadoopSettings.of(SparkEnv.get().conf())));
        } else {
            program = Path.of(SparkFiles.get(plan.program())).toAbsolutePath();
        }
        line.add("--");
        line.add(program.toString());
        line.addAll(plan.arguments());
    }

    private static AgentEnd await(RunningAgent agent) {
        // Whether the executor ends, or the task is killed: that is no end of the node's part in the run.
        AtomicBoolean isEnding = new AtomicBoolean();
        Thread hook = new Thread(() -> drainWith(agent, isEnding), "elastic-run-drain");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            while (true) {
                try {
                    Optional<AgentEnd> end = agent.await(POLL);
                    if (end.isPresent()) {
                        return ended(end.get(), isEnding.get());
                    }
                } catch (InterruptedException e) {
                    // The task was killed: its agent leaves first. Spark looks at its own note of that.
                    drain(agent, isEnding);
                }
                if (TaskContext.get().isInterrupted()) {
                    drain(agent, isEnding);
                }
            }
        } finally {
            remove(hook);
        }
    }

    // Spark runs the task again if it failed, or was lost with its executor, but not if it returned something.
    private static AgentEnd ended(AgentEnd end, boolean isEnding) {
        if (isEnding && end.left()) {
            throw new IllegalStateException("node " + end.nodeId() + " left, as its executor or its task was ended");
        }
        return end;
    }

    private static void drain(RunningAgent agent, AtomicBoolean isEnding) {
        if (isEnding.compareAndSet(false, true)) {
            agent.drain();
        }
    }

    private static void drainWith(RunningAgent agent, AtomicBoolean isEnding) {
        drain(agent, isEnding);
        try {
            agent.await(LAST_WORDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The executor ends, and the hook with it.
        }
    }

    private static AgentEnd unusable(String reason) {
        return new AgentEnd("", AgentEnd.UNUSABLE, reason, "", Map.of());
    }
}
