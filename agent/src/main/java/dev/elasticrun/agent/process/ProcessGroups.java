/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import dev.elasticrun.worker.contract.Daemons;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private static final long FIRST_SCAN_NANOS = Duration.ofMillis(10).toNanos();
    private static final long LAST_SCAN_NANOS = Duration.ofMillis(200).toNanos();
    private static final long GUARD_RETRY_MILLIS = 100;
    // A guard that leaves questions unanswered for this time is stopped or stuck: it is replaced.
    private static final long GUARD_SILENT_NANOS = Duration.ofSeconds(2).toNanos();

    private final GuardCommand command;
    private final long killWaitNanos;
    private final Consumer<Long> onGuardReplaced;
    private final ScheduledThreadPoolExecutor executor;

    private final Set<Long> registered = new LinkedHashSet<>();
    // In the order in which they are probed: the group with the oldest answer first.
    private final Map<Long, Leaving> leaving = new LinkedHashMap<>();

    private final List<Order> unsent = new ArrayList<>();
    private boolean spawning;
    private @Nullable Guard guard;
    private boolean closed;
    private boolean polling;
    private long pollMillis = FIRST_POLL_MILLIS;
    private long lastAnswerNanos;
    private long scanNanos = FIRST_SCAN_NANOS;
    private long nextScanNanos;

    /** A group whose leader ended. */
    private static final class Leaving {
        final CompletableFuture<Void> gone = new CompletableFuture<>();
        boolean killed;
        long killedNanos;
        /** Whether an answer is due. */
        boolean asked;

        void kill() {
            if (!killed) {
                killed = true;
                killedNanos = System.nanoTime();
            }
        }
    }

    private ProcessGroups(GuardCommand command, long killWaitNanos, Consumer<Long> onGuardReplaced) {
        this.command = command;
        this.killWaitNanos = killWaitNanos;
        this.onGuardReplaced = onGuardReplaced;
        this.executor = new ScheduledThreadPoolExecutor(1, Daemons.named("process-groups"));
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Starts the first guard. {@code onGuardReplaced} receives the process id of every later one. */
    static ProcessGroups start(GuardCommand command, long killWaitNanos, Consumer<Long> onGuardReplaced)
            throws IOException {
        ProcessGroups groups = new ProcessGroups(command, killWaitNanos, onGuardReplaced);
        try {
            Guard first = Guard.start(command);
            groups.executor.execute(() -> groups.adopt(first));
            return groups;
        } catch (IOException e) {
            groups.executor.shutdown();
            throw e;
        }
    }

    /** Completes when the guard will look for a process that is not registered yet, whatever happens to the agent. */
    CompletableFuture<Void> spawning(boolean underWay) {
        return CompletableFuture.runAsync(
                () -> {
                    spawning = underWay;
                    order(guard -> guard.spawning(underWay));
                },
                executor);
    }

    void register(long group) {
        execute(() -> {
            spawning = false;
            registered.add(group);
            order(guard -> guard.register(group));
        });
    }

    void signal(GroupSignal signal, long group) {
        execute(() -> {
            if (!registered.contains(group)) {
                return;
            }
            Leaving left = leaving.get(group);
            if (left != null && signal == GroupSignal.KILL) {
                left.kill();
            }
            Order signalling = guard -> {
                guard.signal(signal, group);
                if (guard.mayAsk()) {
                    guard.ask(group);
                }
            };
            if (guard == null) {
                unsent.add(signalling);
            } else {
                order(signalling);
                pollSoon();
            }
        });
    }

    /**
     * Awaits the end of a group whose leader is gone. The future completes when no process of it is left, and
     * exceptionally with a {@link TimeoutException} when one outlives KILL for too long.
     *
     * @param kill whether what is left is killed at once; else {@link #signal} does that when its time is over
     */
    CompletableFuture<Void> end(long group, boolean kill) {
        Leaving left = new Leaving();
        boolean accepted = execute(() -> {
            leaving.put(group, left);
            if (kill) {
                left.kill();
            }
            order(guard -> press(guard, group, left));
            scanNanos = FIRST_SCAN_NANOS;
            nextScanNanos = System.nanoTime() + scanNanos;
            pollSoon();
        });
        if (!accepted) {
            abandon(left);
        }
        return left.gone;
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
        // Also if the JDK could not make a thread to complete that future on.
        started.exit().whenComplete((process, error) -> execute(() -> replace(started)));
        order(guard -> {
            for (long group : registered) {
                guard.register(group);
            }
            guard.spawning(spawning);
            leaving.values().forEach(left -> left.asked = false);
            pressLeaving(guard);
        });
        unsent.forEach(this::order);
        unsent.clear();
        pollSoon();
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
            Guard another = Guard.start(command);
            LOG.warn("guard process {} died; started {} for {} groups", dead.pid(), another.pid(), registered.size());
            adopt(another);
            onGuardReplaced.accept(another.pid());
        } catch (IOException | OutOfMemoryError e) {
            // The error is that of threads: the JDK makes one for each process.
            LOG.warn("cannot replace guard process {}; trying again in {} ms", dead.pid(), GUARD_RETRY_MILLIS, e);
            executor.schedule(() -> startAnother(dead), GUARD_RETRY_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void pollSoon() {
        pollMillis = FIRST_POLL_MILLIS;
        if (!polling) {
            lastAnswerNanos = System.nanoTime();
        }
        pollLater();
    }

    private void pollLater() {
        boolean waiting = !leaving.isEmpty() || (guard != null && guard.owesAnswer());
        if (!polling && waiting && !closed) {
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
                } else {
                    askLater(answer.group());
                }
            }
        });
        if (!leaving.isEmpty() && now - nextScanNanos >= 0) {
            forgetZombies();
            nextScanNanos = now + scanNanos;
            scanNanos = Math.min(LAST_SCAN_NANOS, scanNanos * 2);
        }
        if (guard != null && guard.owesAnswer() && now - lastAnswerNanos > GUARD_SILENT_NANOS) {
            LOG.warn("guard process {} does not answer; killing it", guard.pid());
            lastAnswerNanos = now;
            guard.kill();
        }
        giveUpStuck(now);
        order(this::pressLeaving);
        pollLater();
    }

    private void pressLeaving(Guard to) throws IOException {
        for (Map.Entry<Long, Leaving> left : leaving.entrySet()) {
            press(to, left.getKey(), left.getValue());
        }
    }

    // Sent once until it is answered: with many groups, the orders alone would keep the guard busy.
    private static void press(Guard to, long group, Leaving left) throws IOException {
        if (!left.asked && to.mayAsk()) {
            if (left.killed) {
                to.signal(GroupSignal.KILL, group);
            }
            to.ask(group);
            left.asked = true;
        }
    }

    private void askLater(long group) {
        Leaving left = leaving.remove(group);
        if (left != null) {
            left.asked = false;
            leaving.put(group, left);
        }
    }

    // The groups stay registered: the guard retries when the agent is gone.
    private void giveUpStuck(long now) {
        for (Map.Entry<Long, Leaving> entry : List.copyOf(leaving.entrySet())) {
            Leaving left = entry.getValue();
            if (left.killed && now - left.killedNanos > killWaitNanos) {
                leaving.remove(entry.getKey());
                left.gone.completeExceptionally(new TimeoutException("group " + entry.getKey() + " outlives SIGKILL"));
            }
        }
    }

    private void forgetZombies() {
        try {
            Set<Long> live = ProcessTable.liveGroups();
            for (long group : List.copyOf(leaving.keySet())) {
                if (!live.contains(group)) {
                    forget(group);
                }
            }
        } catch (IOException e) {
            LOG.warn("cannot read /proc to see which groups are gone; trying again", e);
        }
    }

    private void forget(long group) {
        Leaving left = leaving.remove(group);
        if (left != null) {
            registered.remove(group);
            order(guard -> guard.unregister(group));
            left.gone.complete(null);
        }
    }

    private interface Order {
        void give(Guard guard) throws IOException;
    }

    // After the death of a guard, {@link #adopt} repeats its orders to the next one.
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

    private static void abandon(Leaving left) {
        left.gone.completeExceptionally(new IllegalStateException("cannot determine when a group is gone: closed"));
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
