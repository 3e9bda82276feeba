/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.agent.directory.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes of workers that outlive their run: one whose program has returned works for the next run with the same program. There
 * is one at most for each slot of this node. Safe for use by any thread.
 */
public final class ReusableWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReusableWorkers.class);
    private static final String MAIN = "dev.elasticrun.worker.internal.reuse.ReusableMain";
    /** Of the longest name of a socket that all systems take, for the directories of processes. */
    private static final int LONGEST_DIRECTORY = 70;

    private final Path directory;
    private final GroupProcessLauncher launcher;
    // Guarded by this: by slot.
    private final Map<Integer, ReusedProcess> idle = new HashMap<>();
    private long started;

    private ReusableWorkers(Path directory, GroupProcessLauncher launcher) {
        this.directory = directory;
        this.launcher = launcher;
    }

    public static ReusableWorkers open() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath();
        Path parent = temporary.toString().length() > LONGEST_DIRECTORY ? Path.of("/tmp") : temporary;
        Path directory = Files.createTempDirectory(parent, "elastic-reused-", PrivateFiles.DIRECTORY);
        try {
            return new ReusableWorkers(
                    directory,
                    GroupProcessLauncher.create(
                            List.of(directory), pid -> LOG.warn("guard {} ended and was replaced", pid)));
        } catch (IOException e) {
            Files.delete(directory);
            throw e;
        }
    }

    /**
     * Starts the workers of one run, in processes of earlier ones where there are any.
     *
     * @param own starts what cannot be reused; is closed with the result
     * @param key of what runs: processes are reused for runs with an equal one
     */
    public ProcessLauncher over(ProcessLauncher own, String key) {
        return new RunLauncher(own, key);
    }

    /** Ends those that work for no run. */
    public void endIdle() {
        List<ReusedProcess> ended;
        synchronized (this) {
            ended = List.copyOf(idle.values());
            idle.clear();
        }
        ended.forEach(ReusedProcess::kill);
    }

    /** Ends all; runs that they work for have ended. */
    @Override
    public void close() {
        endIdle();
        launcher.close();
        try {
            PrivateFiles.deleteTree(directory);
        } catch (IOException e) {
            LOG.warn("cannot remove the directory of reused workers", e);
        }
    }

    private synchronized @Nullable ReusedProcess take(int slot, String key) {
        ReusedProcess known = idle.remove(slot);
        if (known == null || known.isUsable(key)) {
            return known;
        }
        known.kill();
        return null;
    }

    private synchronized long next() {
        started++;
        return started;
    }

    private void put(ReusedProcess process) {
        ReusedProcess before;
        synchronized (this) {
            before = idle.put(process.slot(), process);
        }
        if (before != null) {
            before.kill();
        }
    }

    private synchronized void remove(ReusedProcess process) {
        idle.remove(process.slot(), process);
    }

    /** For one run. */
    private final class RunLauncher implements ProcessLauncher {
        private final ProcessLauncher own;
        private final String key;
        // Guarded by this.
        private final Set<ReusedProcess> working = new HashSet<>();

        RunLauncher(ProcessLauncher own, String key) {
            this.own = own;
            this.key = key;
        }

        @Override
        public boolean reuses() {
            return true;
        }

        @Override
        public CompletableFuture<WorkerProcess> start(WorkerCommand command) {
            return command.reusable().map(program -> start(command, program)).orElseGet(() -> own.start(command));
        }

        private CompletableFuture<WorkerProcess> start(WorkerCommand command, ReusableProgram program) {
            ReusedProcess idle = take(program.slot(), key);
            if (idle != null) {
                LOG.info("pid={} works as worker {} again", idle.pid(), program.slot());
                return CompletableFuture.completedFuture(work(idle, command, program));
            }
            Path files = directory.resolve(Long.toString(next()));
            ReusedProcess fresh;
            try {
                fresh = ReusedProcess.listen(files, program.slot(), key);
            } catch (IOException e) {
                return CompletableFuture.failedFuture(new IOException("cannot reuse workers: " + e, e));
            }
            return launcher.start(first(command, program, files))
                    .whenComplete((process, error) -> {
                        if (process == null) {
                            fresh.close();
                        }
                    })
                    .thenApply(process -> {
                        fresh.runs(process);
                        process.exit().thenRun(() -> remove(fresh));
                        return work(fresh, command, program);
                    });
        }

        private WorkerProcess work(ReusedProcess process, WorkerCommand command, ReusableProgram program) {
            synchronized (this) {
                working.add(process);
            }
            return process.work(command, program, this::ended);
        }

        private void ended(ReusedProcess process) {
            synchronized (this) {
                working.remove(process);
            }
            put(process);
        }

        @Override
        public void close() {
            List<ReusedProcess> left;
            synchronized (this) {
                left = List.copyOf(working);
                working.clear();
            }
            left.forEach(ReusedProcess::kill);
            own.close();
        }
    }

    private static WorkerCommand first(WorkerCommand command, ReusableProgram program, Path files) {
        Map<String, String> environment = new TreeMap<>(command.environment());
        List<String> argv = new ArrayList<>(List.of(program.java()));
        if (!program.choosesTemporary()) {
            String temporary = ReusedProcess.temporary(files).toString();
            environment.put("TMPDIR", temporary);
            argv.add("-Djava.io.tmpdir=" + temporary);
        }
        argv.addAll(program.options());
        argv.addAll(List.of(MAIN, ReusedProcess.socket(files).toString(), program.mainClass()));
        return new WorkerCommand(
                argv,
                environment,
                command.stdout(),
                command.stderr(),
                command.workingDirectory(),
                command.cpus(),
                command.yields(),
                command.reusable());
    }
}
