/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.Daemons;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.List;
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
    /** Signals that wait for the process and for its first thread: SIGKILL stays among those of the process. */
    private static final List<String> PENDING = List.of("ShdPnd:", "SigPnd:");

    private static final long SIGKILL = 1L << (9 - 1);
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
        // Of the look before the last one: that one may have been between the count of the kill and its signal.
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
                            + " control group does not show which," + peak(worker))
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
                        if (look(pid)) {
                            lookLater(pid, Math.max(firstLookMillis, Math.min(LAST_LOOK_MILLIS, millis * 2)));
                        }
                    },
                    millis,
                    TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            watched.clear();
        }
    }

    /** Reads how a process is now; false if it is not watched. */
    boolean look(long pid) {
        Watched worker = watched.get(pid);
        if (worker == null) {
            return false;
        }
        look(pid, worker);
        return true;
    }

    private void look(long pid, Watched worker) {
        synchronized (worker) {
            Optional<Cgroup> group = Cgroup.of(pid, proc, mounts);
            OptionalLong groupKills = group.map(Cgroup::kills).orElse(OptionalLong.empty());
            OptionalLong machineKills = groupKills.isEmpty() ? machineKills() : OptionalLong.empty();
            // Last: what was read before it is of a process that lived. One that ends is in no group any more, and what
            // killed it has been counted, for as long as its end takes.
            Path status = proc.resolve(pid + "/status");
            boolean isBeingKilled = isBeingKilled(status);
            OptionalLong peak = ProcFile.number(status, "VmHWM:");
            if (isBeingKilled || peak.isEmpty()) {
                // The last look stays.
                return;
            }
            worker.peakKib = peak;
            if (!group.equals(worker.group)) {
                worker.group = group;
                worker.groupKills = OptionalLong.empty();
            }
            worker.groupKills(groupKills);
            if (worker.groupKills.isEmpty()) {
                worker.machineKills(machineKills);
            }
        }
    }

    private static boolean isBeingKilled(Path status) {
        return PENDING.stream()
                .map(name -> ProcFile.mask(status, name))
                .anyMatch(pending -> pending.isPresent() && (pending.getAsLong() & SIGKILL) != 0);
    }

    private OptionalLong machineKills() {
        return ProcFile.number(proc.resolve("vmstat"), "oom_kill");
    }
}
