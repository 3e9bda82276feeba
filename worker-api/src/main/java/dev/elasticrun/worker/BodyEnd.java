/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker;

import dev.elasticrun.worker.collective.WorldChangedException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Set;

/** What an exception means that left the body of a loop. Pure. */
enum BodyEnd {
    /** It is the program's own. */
    FAILED,
    /** It was caused by the change of the world. */
    CHANGED,
    /**
     * The change is among the suppressed exceptions: the main one may be another report of it, or the program's own
     * failure.
     */
    CHANGED_BESIDE;

    /**
     * @param work number of the WORK event that the body worked by last: a change that is not newer ended an earlier
     *     round, and a program that throws it again fails
     */
    static BodyEnd of(Throwable thrown, long work) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> besides = new ArrayDeque<>();
        if (isCaused(thrown, work, seen, besides)) {
            return CHANGED;
        }
        while (!besides.isEmpty()) {
            if (isCaused(besides.remove(), work, seen, besides)) {
                return CHANGED_BESIDE;
            }
        }
        return FAILED;
    }

    /** Walks along the causes, and collects what they suppressed. */
    private static boolean isCaused(Throwable first, long work, Set<Throwable> seen, Deque<Throwable> besides) {
        for (Throwable cause = first; cause != null && seen.add(cause); cause = cause.getCause()) {
            if (cause instanceof VirtualMachineError) {
                besides.clear();
                return false;
            }
            if (cause instanceof WorldChangedException change && change.event().seq() > work) {
                return true;
            }
            Collections.addAll(besides, cause.getSuppressed());
        }
        return false;
    }
}
