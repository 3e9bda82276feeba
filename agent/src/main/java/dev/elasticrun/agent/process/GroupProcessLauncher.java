/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.agent.directory.PrivateFiles;
import dev.elasticrun.worker.contract.Daemons;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts each worker in a session and process group of its own, with its output redirected to files by the kernel. A
 * guard process kills all groups and removes the run directory when this JVM is killed. Needs {@code setsid} (from
 * util-linux) and {@code sh}. {@link #close} before the JVM exits: the JDK waits for the guard in native code, which
 * delays the exit by 300 ms as long as the guard lives.
 */
public final class GroupProcessLauncher implements ProcessLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(GroupProcessLauncher.class);

    private static final long GROUP_POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long GROUP_WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final SpawnPrefix prefix;
    private final String agentMark;
    private final long killWaitNanos;
    private final ProcessGroups groups;
    private final EscapedProcesses strays = new EscapedProcesses();
    private final Orphans orphans = Orphans.reap();
    private final ExecutorService spawner;
    private final LowPriority lowPriority = new LowPriority();
    /** Written by the spawner only. */
    private volatile long spawned;

    private GroupProcessLauncher(GuardCommand guard, long killWaitNanos, ProcessGroups groups) {
        this.prefix = new SpawnPrefix(guard.setsid());
        this.agentMark = guard.mark();
        this.killWaitNanos = killWaitNanos;
        this.groups = groups;
        // One thread that lives as long as the launcher: it keeps the order of starts, and a worker that asked to die
        // with its parent (PR_SET_PDEATHSIG) would die with the thread that started it.
        this.spawner = new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named("process-spawner"));
    }

    /**
     * Starts the guard, which removes the given directories if this JVM dies without {@link #close}.
     *
     * @param onGuardReplaced receives, on a thread of the launcher, the process id of each guard that replaced a dead
     *     one
     */
    public static GroupProcessLauncher create(List<Path> directories, Consumer<Long> onGuardReplaced)
            throws IOException {
        return create(directories, StopSequence.KILL_WAIT_NANOS, onGuardReplaced);
    }

    /** @param killWaitNanos how long a group may outlive KILL until it is given up */
    static GroupProcessLauncher create(List<Path> directories, long killWaitNanos, Consumer<Long> onGuardReplaced)
            throws IOException {
        ProcessTimer.prepare();
        Path setsid = Programs.find("setsid", System.getenv(), Path.of("/"));
        GuardCommand guard = new GuardCommand(
                setsid,
                SpawnMark.ofAgent(),
                directories.stream().map(Path::toAbsolutePath).toList());
        return new GroupProcessLauncher(
                guard, killWaitNanos, ProcessGroups.start(guard, killWaitNanos, onGuardReplaced));
    }

    @Override
    public CompletableFuture<WorkerProcess> start(WorkerCommand command) {
        CompletableFuture<WorkerProcess> started = new CompletableFuture<>();
        try {
            spawner.execute(() -> {
                try {
                    started.complete(spawn(command));
                } catch (IOException | RuntimeException e) {
                    started.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException closed) {
            started.completeExceptionally(
                    new IOException("cannot run " + command.argv().get(0) + ": launcher closed"));
        }
        return started;
    }

    /** Process id of the guard; 0 while there is none. */
    CompletableFuture<Long> guardPid() {
        return groups.guardPid();
    }

    @Override
    public void close() {
        spawner.shutdown();
        try {
            spawner.awaitTermination(3, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        groups.close();
        if (spawned > 0) {
            strays.close(agentMark);
        } else {
            strays.close();
        }
        orphans.close();
    }

    private WorkerProcess spawn(WorkerCommand command) throws IOException {
        Path directory = command.workingDirectory();
        String program = command.argv().get(0);
        if (!Files.isDirectory(directory)) {
            throw new IOException("cannot run " + program + " in " + directory + ": no such directory");
        }
        Programs.find(program, command.environment(), directory.toAbsolutePath());
        List<String> argv = new ArrayList<>(prefix.get());
        argv.addAll(command.yields() ? lowPriority.prefix() : List.of());
        if (!command.cpus().isEmpty()) {
            Path taskset = Programs.find("taskset", System.getenv(), Path.of("/"));
            argv.addAll(List.of(taskset.toString(), "-c", Cpus.text(command.cpus())));
        }
        argv.addAll(command.argv());
        long number = spawned + 1;
        spawned = number;
        SpawnMark mark = SpawnMark.ofWorker(agentMark, number);
        ProcessBuilder builder = new ProcessBuilder(argv)
                .directory(directory.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(ProcessBuilder.Redirect.appendTo(prepareLog(command.stdout())))
                .redirectError(ProcessBuilder.Redirect.appendTo(prepareLog(command.stderr())));
        try {
            change(builder.environment(), command.environment());
            builder.environment().put(SpawnMark.VARIABLE, mark.value());
        } catch (IllegalArgumentException e) {
            throw new IOException("cannot run " + program + ": " + e.getMessage(), e);
        }
        try {
            groups.spawning(true).join();
        } catch (CompletionException e) {
            throw new IOException("cannot run " + program + ": " + e.getMessage(), e);
        }
        Process process;
        try {
            process = builder.start();
        } catch (OutOfMemoryError e) {
            // No thread that awaits its end: the process may exist all the same.
            strays.end(mark, killWaitNanos);
            throw new IOException("cannot run " + program + ": a limit of processes or threads is reached", e);
        } catch (IOException e) {
            groups.spawning(false);
            throw new IOException("cannot run " + program + ": " + e.getMessage(), e);
        }
        groups.register(process.pid());
        awaitGroup(process);
        return new GroupProcess(process, mark, command.yields());
    }

    // Changes only what differs: the JDK keeps the bytes of inherited values, also of those that are no text.
    private static void change(Map<String, String> inherited, Map<String, String> wanted) {
        Map<String, String> before = new HashMap<>(inherited);
        inherited.keySet().retainAll(wanted.keySet());
        wanted.forEach((name, value) -> {
            if (!value.equals(before.get(name))) {
                inherited.put(name, value);
            }
        });
    }

    /** An empty private file, unless there is one, below directories that are made. */
    static File prepareLog(Path log) throws IOException {
        Path parent = log.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent, PrivateFiles.DIRECTORY);
        }
        try {
            Files.createFile(log, PrivateFiles.FILE);
        } catch (FileAlreadyExistsException restarted) {
            // Logs are appended to, never deleted.
            if (!Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException(log + ": not a regular file");
            }
        }
        return log.toFile();
    }

    // Waits until setsid has made the group, normally a millisecond: before, a signal to the group reaches no process.
    private static void awaitGroup(Process process) {
        long pid = process.pid();
        long deadline = System.nanoTime() + GROUP_WAIT_NANOS;
        OptionalLong group = ProcessTable.groupOf(pid);
        while (group.isPresent() && group.getAsLong() != pid && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(GROUP_POLL_NANOS);
            group = ProcessTable.groupOf(pid);
        }
    }

    private final class GroupProcess implements WorkerProcess {
        private final long pid;
        private final CompletableFuture<Integer> exit;
        private final CompletableFuture<Void> groupGone;
        private final boolean yields;
        // Asked to end: the remaining processes of its group have the rest of the grace period.
        private volatile boolean terminating;

        GroupProcess(Process process, SpawnMark mark, boolean yields) {
            this.pid = process.pid();
            this.yields = yields;
            this.exit = ProcessExit.of(process);
            this.groupGone = exit.thenCompose(code -> groups.end(pid, !terminating))
                    .thenCompose(gone -> strays.end(mark, killWaitNanos));
        }

        @Override
        public long pid() {
            return pid;
        }

        @Override
        public CompletableFuture<Integer> exit() {
            return exit.copy();
        }

        @Override
        public void signalGroup(GroupSignal signal) {
            if (signal == GroupSignal.TERM) {
                terminating = true;
            }
            groups.signal(signal, pid);
        }

        @Override
        public void raise() {
            if (yields && !exit.isDone()) {
                try {
                    spawner.execute(this::raiseNow);
                } catch (RejectedExecutionException closed) {
                    // It ends with the launcher.
                }
            }
        }

        // An error must not end the thread of the spawner: the workers that it started would die with it.
        private void raiseNow() {
            try {
                lowPriority.raise(pid);
            } catch (RuntimeException e) {
                LOG.warn("pid={} keeps its low priority", pid, e);
            }
        }

        @Override
        public CompletableFuture<Void> groupGone() {
            return groupGone.copy();
        }

        @Override
        public String toString() {
            return "worker process " + pid;
        }
    }
}
