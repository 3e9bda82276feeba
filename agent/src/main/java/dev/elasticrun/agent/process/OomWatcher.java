/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.Daemons;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Detects which worker the kernel killed for lack of memory: its exit code shows only SIGKILL, but counters of its
 * control group, or of the machine, have grown. Peaks are read as long as a worker lives, as they are not available
 * afterwards. Safe for use by any thread.
 */
public final class OomWatcher implements Closeable {
    private static final int KILLED = 128 + 9;
    private static final long FIRST_LOOK_MILLIS = 20;
    private static final long LAST_LOOK_MILLIS = 1000;
    private static final int MIB_SHIFT = 20;

    private final Path proc;
    private final Path mounts;
    private final long firstLookMillis;
    private final Map<Long, Watched> watched = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor executor;

    private OomWatcher(Path proc, Path mounts, long firstLookMillis) {
        this.proc = proc;
        this.mounts = mounts;
        this.firstLookMillis = firstLookMillis;
        this.executor = new ScheduledThreadPoolExecutor(1, Daemons.named("memory-watch"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    public static OomWatcher start() {
        return start(Path.of("/proc"), Path.of("/sys/fs/cgroup"), FIRST_LOOK_MILLIS);
    }

    /** @param firstLookMillis how long after the first look the second one is; each is twice as long after the last */
    static OomWatcher start(Path proc, Path mounts, long firstLookMillis) {
        return new OomWatcher(proc, mounts, firstLookMillis);
    }

    private static final class Watched {
        private Optional<Cgroup> group = Optional.empty();
        // Of the look before the last one: that one may have been between the kill and the end of the process.
        private OptionalLong groupKillsBefore = OptionalLong.empty();
        private OptionalLong machineKillsBefore;
        private OptionalLong groupKills = OptionalLong.empty();
        private OptionalLong machineKills;
        private OptionalLong peakKib = OptionalLong.empty();

        Watched(OptionalLong machineKills) {
            this.machineKillsBefore = machineKills;
            this.machineKills = machineKills;
        }

        void groupKills(OptionalLong now) {
            groupKillsBefore = groupKills.isPresent() ? groupKills : now;
            groupKills = now;
        }

        void machineKills(OptionalLong now) {
            machineKillsBefore = machineKills;
            machineKills = now;
        }
    }

    /** From now on until {@link #explain} the process is watched. */
    public void add(long pid) {
        Watched worker = new Watched(machineKills());
        look(pid, worker);
        watched.put(pid, worker);
        lookLater(pid, firstLookMillis);
    }

    /** Explains to the user an end with this code that was caused by a lack of memory; empty for other causes. */
    public Optional<String> explain(long pid, int exitCode) {
        Watched worker = watched.remove(pid);
        if (worker == null || exitCode != KILLED) {
            return Optional.empty();
        }
        synchronized (worker) {
            OptionalLong groupKills = worker.group.map(Cgroup::kills).orElse(OptionalLong.empty());
            if (groupKills.isPresent() && worker.groupKillsBefore.isPresent()) {
                Cgroup group = worker.group.orElseThrow();
                return groupKills.getAsLong() > worker.groupKillsBefore.getAsLong()
                        ? Optional.of("out of memory: the kernel killed it; control group " + group.name() + ":"
                                + size(" limit ", group.limit()) + size(" peak ", group.peak()) + peak(worker))
                        : Optional.empty();
            }
            OptionalLong now = machineKills();
            boolean grown = now.isPresent()
                    && worker.machineKillsBefore.isPresent()
                    && now.getAsLong() > worker.machineKillsBefore.getAsLong();
            return grown
                    ? Optional.of("out of memory: the kernel killed a process of this machine at that time, and its"
                            + " control group does not tell which," + peak(worker))
                    : Optional.empty();
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }

    private static String peak(Watched worker) {
        return worker.peakKib.isEmpty()
                ? " the worker's own peak is not known"
                : " the worker itself had " + (worker.peakKib.getAsLong() >> 10) + " MiB when last seen";
    }

    private static String size(String what, OptionalLong bytes) {
        return bytes.isEmpty() ? "" : what + (bytes.getAsLong() >> MIB_SHIFT) + " MiB,";
    }

    private void lookLater(long pid, long millis) {
        try {
            executor.schedule(
                    () -> {
                        Watched worker = watched.get(pid);
                        if (worker != null) {
                            look(pid, worker);
                            lookLater(pid, Math.max(firstLookMillis, Math.min(LAST_LOOK_MILLIS, millis * 2)));
                        }
                    },
                    millis,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            watched.clear();
        }
    }

    private void look(long pid, Watched worker) {
        synchronized (worker) {
            OptionalLong peak = ProcFile.number(proc.resolve(pid + "/status"), "VmHWM:");
            if (peak.isEmpty()) {
                // It has ended: the last look stays.
                return;
            }
            worker.peakKib = peak;
            Optional<Cgroup> group = Cgroup.of(pid, proc, mounts);
            if (!group.equals(worker.group)) {
                worker.group = group;
                worker.groupKills = OptionalLong.empty();
            }
            worker.groupKills(group.map(Cgroup::kills).orElse(OptionalLong.empty()));
            if (worker.groupKills.isEmpty()) {
                worker.machineKills(machineKills());
            }
        }
    }

    private OptionalLong machineKills() {
        return ProcFile.number(proc.resolve("vmstat"), "oom_kill");
    }
}
