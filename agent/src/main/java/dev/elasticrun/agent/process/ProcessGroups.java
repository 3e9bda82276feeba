/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals to process groups and the moment when they are gone, through a {@link Guard} that is replaced when it dies.
 * The thread {@code process-groups} owns all state; methods may be called by any thread and do not block.
 */
final class ProcessGroups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessGroups.class);
    private static final long FIRST_POLL_MILLIS = 1;
    private static final long LAST_POLL_MILLIS = 16;
    private static final long ZOMBIE_CHECK_NANOS = Duration.ofMillis(200).toNanos();
    private static final long GUARD_RETRY_MILLIS = 100;
    /** A guard that leaves questions open for so long is stopped or stuck: it is replaced. */
    private static final long GUARD_SILENT_NANOS = Duration.ofSeconds(2).toNanos();

    private final Path setsid;
    private final Path runDirectory;
    private final Consumer<Long> onGuardReplaced;
    private final ScheduledThreadPoolExecutor executor;

    private final Set<Long> registered = new LinkedHashSet<>();
    private final Map<Long, Leaving> leaving = new HashMap<>();
    private final List<Runnable> unsent = new ArrayList<>();
    private @Nullable String spawnMark;
    private @Nullable Guard guard;
    private boolean closed;
    private boolean polling;
    private long pollMillis = FIRST_POLL_MILLIS;
    private long lastAnswerNanos;

    /** A group that is on its way out. */
    private static final class Leaving {
        final CompletableFuture<Void> gone = new CompletableFuture<>();
        long nextZombieCheckNanos = System.nanoTime() + ZOMBIE_CHECK_NANOS;
    }

    private ProcessGroups(Path setsid, Path runDirectory, Consumer<Long> onGuardReplaced) {
        this.setsid = setsid;
        this.runDirectory = runDirectory;
        this.onGuardReplaced = onGuardReplaced;
        this.executor = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "process-groups");
            thread.setDaemon(true);
            return thread;
        });
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Starts the first guard. {@code onGuardReplaced} hears the process id of every later one. */
    static ProcessGroups start(Path setsid, Path runDirectory, Consumer<Long> onGuardReplaced) throws IOException {
        ProcessGroups groups = new ProcessGroups(setsid, runDirectory, onGuardReplaced);
        try {
            Guard first = Guard.start(setsid, runDirectory);
            groups.executor.execute(() -> groups.adopt(first));
            return groups;
        } catch (IOException e) {
            groups.executor.shutdown();
            throw e;
        }
    }

    /** Completes when the guard will find a process with this mark, whatever happens to the agent. */
    CompletableFuture<Void> spawning(String mark) {
        return CompletableFuture.runAsync(
                () -> {
                    spawnMark = mark;
                    order(guard -> guard.spawning(mark));
                },
                executor);
    }

    void register(long group) {
        execute(() -> {
            spawnMark = null;
            registered.add(group);
            order(guard -> guard.register(group));
        });
    }

    void signal(GroupSignal signal, long group) {
        execute(() -> {
            if (!registered.contains(group)) {
                return;
            }
            if (guard == null) {
                unsent.add(() -> order(guard -> guard.signal(signal, group)));
            } else {
                order(guard -> guard.signal(signal, group));
            }
        });
    }

    /** Kills what is left of the group. The future completes when no process of it is left. */
    CompletableFuture<Void> end(long group) {
        Leaving entry = new Leaving();
        boolean accepted = execute(() -> {
            leaving.put(group, entry);
            order(guard -> {
                guard.signal(GroupSignal.KILL, group);
                guard.ask(group);
            });
            pollMillis = FIRST_POLL_MILLIS;
            lastAnswerNanos = System.nanoTime();
            pollLater();
        });
        if (!accepted) {
            abandon(entry);
        }
        return entry.gone;
    }

    /** Process id of the guard; 0 while there is none. */
    CompletableFuture<Long> guardPid() {
        return CompletableFuture.supplyAsync(() -> guard == null ? 0L : guard.pid(), executor);
    }

    @Override
    public void close() {
        execute(() -> {
            closed = true;
            for (long group : registered) {
                order(guard -> guard.signal(GroupSignal.KILL, group));
            }
            if (guard != null) {
                guard.close();
            }
            leaving.values().forEach(ProcessGroups::abandon);
        });
        executor.shutdown();
        try {
            executor.awaitTermination(3, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void adopt(Guard started) {
        if (closed) {
            started.close();
            return;
        }
        guard = started;
        lastAnswerNanos = System.nanoTime();
        started.exit().thenRun(() -> execute(() -> replace(started)));
        order(guard -> {
            for (long group : registered) {
                guard.register(group);
            }
            String mark = spawnMark;
            if (mark != null) {
                guard.spawning(mark);
            }
            for (long group : leaving.keySet()) {
                guard.signal(GroupSignal.KILL, group);
                guard.ask(group);
            }
        });
        unsent.forEach(Runnable::run);
        unsent.clear();
    }

    private void replace(Guard dead) {
        if (closed || guard != dead) {
            return;
        }
        guard = null;
        startAnother(dead);
    }

    private void startAnother(Guard dead) {
        if (closed) {
            return;
        }
        try {
            Guard another = Guard.start(setsid, runDirectory);
            LOG.warn("guard process {} died; started {} for {} groups", dead.pid(), another.pid(), registered.size());
            adopt(another);
            onGuardReplaced.accept(another.pid());
        } catch (IOException e) {
            LOG.warn("cannot replace guard process {}; trying again in {} ms", dead.pid(), GUARD_RETRY_MILLIS, e);
            executor.schedule(() -> startAnother(dead), GUARD_RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void pollLater() {
        if (!polling && !leaving.isEmpty() && !closed) {
            polling = true;
            executor.schedule(this::poll, pollMillis, TimeUnit.MILLISECONDS);
            pollMillis = Math.min(LAST_POLL_MILLIS, pollMillis * 2);
        }
    }

    private void poll() {
        polling = false;
        long now = System.nanoTime();
        order(guard -> {
            for (Guard.Answer answer : guard.answers()) {
                lastAnswerNanos = now;
                if (answer.gone()) {
                    forget(answer.group());
                }
            }
        });
        for (Map.Entry<Long, Leaving> entry : List.copyOf(leaving.entrySet())) {
            if (now - entry.getValue().nextZombieCheckNanos >= 0) {
                entry.getValue().nextZombieCheckNanos = now + ZOMBIE_CHECK_NANOS;
                checkZombies(entry.getKey());
            }
        }
        if (!leaving.isEmpty() && now - lastAnswerNanos > GUARD_SILENT_NANOS && guard != null) {
            LOG.warn("guard process {} does not answer; killing it", guard.pid());
            lastAnswerNanos = now;
            guard.kill();
        }
        order(guard -> {
            for (long group : leaving.keySet()) {
                guard.signal(GroupSignal.KILL, group);
                guard.ask(group);
            }
        });
        pollLater();
    }

    private void checkZombies(long group) {
        try {
            if (!ProcessTable.hasLiveMember(group)) {
                forget(group);
            }
        } catch (IOException e) {
            LOG.warn("cannot read /proc to see whether group {} is gone; asking again", group, e);
        }
    }

    private void forget(long group) {
        Leaving entry = leaving.remove(group);
        if (entry != null) {
            registered.remove(group);
            order(guard -> guard.unregister(group));
            entry.gone.complete(null);
        }
    }

    private interface Order {
        void give(Guard guard) throws IOException;
    }

    /** What a dead guard must have known, the next one is told by {@link #adopt}. */
    private void order(Order order) {
        Guard current = guard;
        if (current == null) {
            return;
        }
        try {
            order.give(current);
        } catch (IOException dying) {
            LOG.debug("guard process {} is dying", current.pid(), dying);
        }
    }

    private static void abandon(Leaving entry) {
        entry.gone.completeExceptionally(new IllegalStateException("cannot tell when a group is gone: closed"));
    }

    private boolean execute(Runnable task) {
        try {
            executor.execute(task);
            return true;
        } catch (RejectedExecutionException stopped) {
            return false;
        }
    }
}
