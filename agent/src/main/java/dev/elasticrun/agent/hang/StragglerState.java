/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.hang;

import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.worker.contract.Heartbeat;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Decides whether one worker stays in a section in which it waits for workers of a round that is over. The worker has a
 * grace time to leave the section: the configured one at least, or twice its longest stay there if that is more, so
 * that a worker that computes is not taken for one that hangs. Owned by the thread of the watch.
 *
 * <p>A worker whose library has lost its event loop thread waits for ever. A worker that still has that thread may only
 * wait for one that has lost it: it has twice the grace time, and its node's offset behind the nodes before it.
 */
final class StragglerState {
    private static final int AMPLE = 2;
    // Up to this many nodes end one after the other, each half a grace time after the one before; the others end with
    // the last.
    private static final int MAX_PLACE = 4;

    private final long graceNanos;
    /** Longest stays by section. */
    private final Map<Integer, Long> longest = new HashMap<>();
    // The last stays. Each counts when another one follows: one that ended with an error has none after it.
    private final Map<Integer, Long> held = new HashMap<>();

    private long beats;
    private long sinceNanos;
    private int section;
    private long round;
    private boolean isOver;
    private long overNanos;
    private boolean hadEventLoop;

    StragglerState(long graceNanos) {
        this.graceNanos = graceNanos;
    }

    // The state of the thread that does the library's input and output.
    enum EventLoop {
        NEVER_SEEN,
        THERE,
        GONE
    }

    /**
     * A worker whose grace time is over.
     *
     * @param round which is over
     * @param stayedNanos since then
     * @param longestNanos longest stay before; 0 = none is known
     */
    record Straggler(
            Heartbeat.View seen,
            long round,
            long stayedNanos,
            long graceNanos,
            long longestNanos,
            EventLoop eventLoop,
            long dueNanos)
            implements Finding {

        @Override
        public FailureKind kind() {
            return FailureKind.STRAGGLER;
        }

        @Override
        public String words() {
            return "stayed in section " + seen.section().name() + " for " + Finding.seconds(stayedNanos)
                    + " after round " + round
                    + " had ended (grace " + Finding.seconds(graceNanos)
                    + (longestNanos > 0 ? ", longest before " + Finding.seconds(longestNanos) : "") + ")"
                    + switch (eventLoop) {
                        case NEVER_SEEN -> "";
                        case THERE -> "; its event loop thread still runs";
                        case GONE -> "; its event loop thread has gone";
                    };
        }
    }

    /** Excludes a time in which the watch did not run. */
    void forgive(long nanos) {
        sinceNanos += nanos;
        overNanos += nanos;
    }

    /**
     * The worker if its time is over.
     *
     * @param hasEventLoop asked only when it matters, as that takes a while
     */
    Optional<Straggler> look(Heartbeat.View now, RoundNow round, BooleanSupplier hasEventLoop, long nowNanos) {
        boolean wasOver = isOver;
        isOver = now.section().peerRound() > 0 && now.section().peerRound() != round.open();
        if (now.beats() != beats) {
            stayed(now, !wasOver && !isOver, nowNanos);
        }
        if (now.section().peerRound() == 0) {
            return Optional.empty();
        }
        boolean isThere = (isOver || !hadEventLoop) && hasEventLoop.getAsBoolean();
        hadEventLoop |= isThere;
        if (!isOver) {
            return Optional.empty();
        }
        if (!wasOver) {
            overNanos = round.endedNanos();
        }
        return straggler(now, eventLoop(isThere), round.place(), nowNanos);
    }

    // A sign of progress ends a stay.
    private void stayed(Heartbeat.View now, boolean isOpen, long nowNanos) {
        if (now.section().peerRound() != 0 && now.section().peerRound() != round) {
            held.clear();
            hadEventLoop = false;
            round = now.section().peerRound();
        } else if (isOpen && section != 0) {
            held.put(section, nowNanos - sinceNanos);
        }
        beats = now.beats();
        sinceNanos = nowNanos;
        section = now.section().peerRound() == 0 ? 0 : now.section().number();
        Long before = held.remove(section);
        if (before != null) {
            longest.merge(section, before, (old, last) -> Math.max(HangLearner.faded(old), last));
        }
    }

    private EventLoop eventLoop(boolean isThere) {
        return isThere ? EventLoop.THERE : hadEventLoop ? EventLoop.GONE : EventLoop.NEVER_SEEN;
    }

    private Optional<Straggler> straggler(Heartbeat.View now, EventLoop eventLoop, int place, long nowNanos) {
        long longestStay = longest.getOrDefault(section, 0L);
        long grace = Math.max(graceNanos, AMPLE * longestStay);
        long wait = eventLoop == EventLoop.THERE ? AMPLE * grace + Math.min(place, MAX_PLACE) * graceNanos / 2 : grace;
        long due = Math.max(overNanos, sinceNanos) + wait;
        return nowNanos - due < 0
                ? Optional.empty()
                : Optional.of(new Straggler(now, round, nowNanos - overNanos, wait, longestStay, eventLoop, due));
    }
}
