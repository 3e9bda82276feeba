/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.contract.Head;
import dev.elasticrun.worker.contract.WorkerEvent;
import dev.elasticrun.worker.contract.WorkerState;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The newest event of a worker, and which round the program was given. The channel thread puts events; any thread asks, and
 * user threads wait. Between an event's file and its name in the head, and while the lease has passed, the head counts.
 */
final class NewestEvent {
    /** An event is signalled, a renewed lease is not. */
    private static final long DEADLINE_POLL_MILLIS = 10;

    private final Head head;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private volatile @Nullable WorkerEvent latest;
    // Guarded by lock: what user threads were given.
    private long returnedSeq;
    private volatile long givenRound;

    NewestEvent(Head head) {
        this.head = head;
    }

    void put(WorkerEvent event) {
        lock.lock();
        try {
            latest = event;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Null before the first. */
    @Nullable
    WorkerEvent get() {
        return latest;
    }

    /** 0 before the first. */
    long seq() {
        WorkerEvent event = latest;
        return event == null ? 0 : event.seq();
    }

    /** 0 before the first. */
    long round() {
        WorkerEvent event = latest;
        return event == null ? 0 : event.round();
    }

    /** The round that a user thread was given last; 0 = none yet. */
    long givenRound() {
        return givenRound;
    }

    /** Whether the worker may not work; no system call. */
    boolean isClosed() {
        WorkerEvent event = newerThanHead();
        WorkerState state = event == null ? head.state() : event.workerState();
        return state != WorkerState.HEALTHY || System.nanoTime() > head.leaseDeadlineNanos();
    }

    /** Whether the worker may not work in that round; no system call. */
    boolean isChanged(long round) {
        WorkerEvent event = newerThanHead();
        return (event == null ? head.round() : event.round()) != round || isClosed();
    }

    // The agent names an event in the head after it wrote the event: the reader can be faster.
    private @Nullable WorkerEvent newerThanHead() {
        WorkerEvent event = latest;
        return event != null && event.seq() > head.seq() ? event : null;
    }

    /** Whether the worker may work by that event. */
    boolean isOpen(long seq) {
        WorkerEvent event = latest;
        return head.seq() <= seq
                && System.nanoTime() <= head.leaseDeadlineNanos()
                && (event == null || event.seq() <= seq);
    }

    private boolean isWork(WorkerEvent event) {
        return event.workerState() == WorkerState.HEALTHY && isOpen(event.seq());
    }

    /** Returns whether the worker may work by that event; false once there is a newer one. */
    boolean awaitOpen(long seq) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isOpen(seq)) {
                if (seq() > seq) {
                    return false;
                }
                changed.await(DEADLINE_POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    WorkerEvent awaitNewer(long seq) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (seq() <= seq) {
                changed.await();
            }
            return Objects.requireNonNull(latest);
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is an event newer than that, after a while; false also if the thread is interrupted. */
    boolean awaitNewer(long seq, Duration limit) {
        lock.lock();
        try {
            long left = TimeUnit.NANOSECONDS.convert(limit);
            while (seq() <= seq && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
        return seq() > seq;
    }

    /** Whatever it is. */
    WorkerEvent await() {
        return await(event -> true);
    }

    /** The newest open round; repeated calls return it again. */
    WorkerEvent awaitWork() {
        return give(event -> true);
    }

    /** A round after that one, or that one opened again by an event that was not returned yet. */
    WorkerEvent awaitWork(long afterRound) {
        return give(event -> event.round() > afterRound || (event.round() == afterRound && event.seq() > returnedSeq));
    }

    WorkerEvent awaitNewerWork(long seq) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return given(awaitInterruptibly(event -> event.seq() > seq && isWork(event)));
        } finally {
            lock.unlock();
        }
    }

    private WorkerEvent give(Predicate<WorkerEvent> wanted) {
        lock.lock();
        try {
            return given(await(event -> isWork(event) && wanted.test(event)));
        } finally {
            lock.unlock();
        }
    }

    /** A user thread is given that round. Caller holds the lock. */
    private WorkerEvent given(WorkerEvent work) {
        returnedSeq = work.seq();
        givenRound = work.round();
        return work;
    }

    private WorkerEvent await(Predicate<WorkerEvent> wanted) {
        lock.lock();
        try {
            return awaitInterruptibly(wanted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for the agent");
        } finally {
            lock.unlock();
        }
    }

    /** Caller holds the lock. */
    private WorkerEvent awaitInterruptibly(Predicate<WorkerEvent> wanted) throws InterruptedException {
        while (true) {
            WorkerEvent event = latest;
            if (event != null && wanted.test(event)) {
                return event;
            }
            changed.await(DEADLINE_POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
