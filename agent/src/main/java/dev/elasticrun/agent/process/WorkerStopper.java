/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Stops workers together: TERM to each group, one grace period for all, then KILL. May be called by any thread; never
 * blocks.
 */
public final class WorkerStopper {
    // Holds the stops that are under way; its lock also spans force(), which must miss none.
    private final Set<Stop> running = new LinkedHashSet<>();
    private final long killWaitNanos;
    private boolean forced;

    public WorkerStopper() {
        this(StopSequence.KILL_WAIT_NANOS);
    }

    /** @param killWaitNanos how long a group may outlive KILL until it is given up */
    WorkerStopper(long killWaitNanos) {
        this.killWaitNanos = killWaitNanos;
    }

    /**
     * Completes when all groups are gone. Completes exceptionally with an {@link UnkillableException} that names the
     * processes if some outlive KILL by 10 s, because they wait in the kernel. Cancelling the future stops the sequence where it is.
     */
    public CompletableFuture<Void> stopAll(Collection<? extends WorkerProcess> workers, Duration grace) {
        Stop stop = new Stop(workers, grace, killWaitNanos);
        boolean forcedBefore;
        synchronized (running) {
            running.add(stop);
            forcedBefore = forced;
        }
        stop.done.whenComplete((nothing, failure) -> {
            synchronized (running) {
                running.remove(stop);
            }
        });
        stop.begin();
        if (forcedBefore) {
            stop.force();
        }
        return stop.done;
    }

    /** Ends the grace period of every stop, also of those that come later. */
    public void force() {
        List<Stop> current;
        synchronized (running) {
            forced = true;
            current = new ArrayList<>(running);
        }
        current.forEach(Stop::force);
    }

    private static final class Stop {
        private final List<WorkerProcess> workers;
        private final long killWaitNanos;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        // Guarded by this: exits, timers and force() come from different threads.
        private StopSequence.State state;
        private boolean forced;

        Stop(Collection<? extends WorkerProcess> workers, Duration grace, long killWaitNanos) {
            this.workers = List.copyOf(workers);
            this.killWaitNanos = killWaitNanos;
            this.state = StopSequence.begin(grace.toNanos(), System.nanoTime());
        }

        void begin() {
            for (WorkerProcess worker : workers) {
                worker.groupGone().whenComplete((nothing, failure) -> advance());
            }
            advance();
        }

        void force() {
            synchronized (this) {
                forced = true;
            }
            advance();
        }

        private void advance() {
            // Completed outside the lock: dependents run whatever they like.
            if (advanceState()) {
                List<WorkerProcess> stuck = workers.stream()
                        .filter(worker -> !isGone(worker.groupGone()))
                        .toList();
                if (stuck.isEmpty()) {
                    done.complete(null);
                } else {
                    done.completeExceptionally(new UnkillableException(stuck, killWaitNanos));
                }
            }
        }

        private static boolean isGone(CompletableFuture<Void> group) {
            return group.isDone() && !group.isCompletedExceptionally();
        }

        // Returns whether the sequence has ended.
        private synchronized boolean advanceState() {
            if (done.isDone() || state.ended()) {
                return false;
            }
            long now = System.nanoTime();
            List<WorkerProcess> left = workers.stream()
                    .filter(worker -> !worker.groupGone().isDone())
                    .toList();
            StopSequence.Step step = StopSequence.advance(state, !left.isEmpty(), forced, killWaitNanos, now);
            boolean timerIsNew = !step.state().equals(state);
            state = step.state();
            for (StopSequence.Action action : step.actions()) {
                run(action, left);
            }
            if (timerIsNew && !state.ended()) {
                ProcessTimer.schedule(this::advance, Math.max(0, state.wakeNanos() - now));
            }
            return state.ended();
        }

        private static void run(StopSequence.Action action, List<WorkerProcess> left) {
            switch (action) {
                case TERM -> left.forEach(worker -> worker.signalGroup(GroupSignal.TERM));
                case KILL -> left.forEach(worker -> worker.signalGroup(GroupSignal.KILL));
                case GIVE_UP -> {
                    // The end of the sequence reports the remaining processes.
                }
            }
        }
    }
}
