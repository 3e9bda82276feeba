/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How much of a node's time went into steps whose result survived. Time in which its workers work is pending until a
 * checkpoint that was completed later covers it; steps that are done a second time make their first time lost. A worker
 * that reports neither steps nor checkpoints has pending time only, until its run ends well. As exact as workers report
 * their progress: once a second. Pure; owned by one thread.
 */
public final class Goodput {
    // The oldest marks of a program that never completes a checkpoint are joined.
    private static final int MAX_MARKS = 4096;

    private final Deque<Mark> marks = new ArrayDeque<>();
    private boolean begun;
    private long firstNanos;
    private boolean working;
    private long sinceNanos;
    private long pendingNanos;
    private long committedNanos;
    private long lostNanos;
    private long lastStep;
    private long version;

    // The pending time after which that step was done.
    private record Mark(long step, long pendingNanos) {}

    /**
     * Where the time went, in nanoseconds.
     *
     * @param wall since the first work began; 0 = none did
     * @param committed steps that survived: their results are in a checkpoint
     * @param pending steps whose fate is open
     * @param lost steps that were, or have to be, done again
     */
    public record Account(long wall, long committed, long pending, long lost) {

        /** Committed time of all time; negative = nothing is known yet. */
        public double ratio() {
            return wall == 0 ? -1 : (double) committed / wall;
        }
    }

    /** The workers work from now on. */
    public void work(long nowNanos) {
        if (!begun) {
            begun = true;
            firstNanos = nowNanos;
        }
        count(nowNanos);
        working = true;
    }

    /** They do not any more. */
    public void stop(long nowNanos) {
        count(nowNanos);
        working = false;
    }

    /** A step was done; one that is not above the one before was done again, and all since it. */
    public void step(long step, long nowNanos) {
        count(nowNanos);
        if (step < lastStep) {
            rollBack(step);
        }
        if (step != lastStep) {
            lastStep = step;
            marks.addLast(new Mark(step, pendingNanos));
            if (marks.size() > MAX_MARKS) {
                marks.removeFirst();
            }
        }
    }

    /** This checkpoint, and with it all steps before, is complete. */
    public void commit(long newVersion, long nowNanos) {
        count(nowNanos);
        if (newVersion > version) {
            version = newVersion;
            commitAll();
        }
    }

    /**
     * The workers resumed from this checkpoint: what came after it is lost.
     *
     * @param from 0 = from none, which means nothing for a program that makes none
     */
    public void resume(long from, long nowNanos) {
        count(nowNanos);
        if (version > 0 || from > 0) {
            lostNanos += pendingNanos;
            pendingNanos = 0;
            marks.clear();
            lastStep = 0;
        }
        version = from;
    }

    /** The run has ended well: nothing can be lost any more. */
    public void succeed(long nowNanos) {
        stop(nowNanos);
        commitAll();
    }

    public Account account(long nowNanos) {
        count(nowNanos);
        return new Account(begun ? nowNanos - firstNanos : 0, committedNanos, pendingNanos, lostNanos);
    }

    private void commitAll() {
        committedNanos += pendingNanos;
        pendingNanos = 0;
        marks.clear();
    }

    private void rollBack(long step) {
        while (!marks.isEmpty() && marks.getLast().step() >= step) {
            marks.removeLast();
        }
        long kept = marks.isEmpty() ? 0 : marks.getLast().pendingNanos();
        lostNanos += pendingNanos - kept;
        pendingNanos = kept;
    }

    private void count(long nowNanos) {
        if (working) {
            pendingNanos += nowNanos - sinceNanos;
        }
        sinceNanos = nowNanos;
    }
}
