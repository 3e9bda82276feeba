/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.process;

import java.util.List;

/**
 * Decides how workers are stopped: TERM, one grace deadline for all of them, KILL, and after a while a report of the
 * remaining processes. Pure; the caller supplies the time.
 */
final class StopSequence {
    /** KILL cannot be refused, but a process that waits for a dead disk takes it late. */
    static final long KILL_WAIT_NANOS = 10_000_000_000L;
    /** Repeated, since a guard that dies may take a signal with it. */
    static final long KILL_AGAIN_NANOS = 500_000_000L;

    public enum Phase {
        NEW,
        TERMINATING,
        KILLING,
        ABANDONED,
        DONE
    }

    enum Action {
        TERM,
        KILL,
        GIVE_UP
    }

    /**
     * @param deadlineNanos end of the grace period, or in KILLING of the wait for the killed
     * @param wakeNanos latest time of the next advance; of no meaning in ABANDONED and DONE
     */
    record State(Phase phase, long deadlineNanos, long wakeNanos) {
        boolean ended() {
            return phase == Phase.DONE || phase == Phase.ABANDONED;
        }
    }

    record Step(State state, List<Action> actions) {}

    private StopSequence() {}

    static State begin(long graceNanos, long nowNanos) {
        return new State(Phase.NEW, nowNanos + graceNanos, nowNanos);
    }

    /**
     * @param anyLeft whether a group is not gone yet
     * @param forced whether the grace period is called off
     */
    static Step advance(State state, boolean anyLeft, boolean forced, long nowNanos) {
        return advance(state, anyLeft, forced, KILL_WAIT_NANOS, nowNanos);
    }

    /** @param killWaitNanos after KILL, how long until a group that is left is given up */
    static Step advance(State state, boolean anyLeft, boolean forced, long killWaitNanos, long nowNanos) {
        if (state.ended()) {
            return new Step(state, List.of());
        }
        if (!anyLeft) {
            return new Step(new State(Phase.DONE, state.deadlineNanos(), nowNanos), List.of());
        }
        boolean due = state.deadlineNanos() - nowNanos <= 0;
        return switch (state.phase()) {
            case NEW -> due || forced ? kill(killWaitNanos, nowNanos) : terminate(state);
            case TERMINATING -> due || forced ? kill(killWaitNanos, nowNanos) : new Step(state, List.of());
            case KILLING -> due ? giveUp(state) : killAgain(state, nowNanos);
            case ABANDONED, DONE -> new Step(state, List.of());
        };
    }

    private static Step terminate(State state) {
        return new Step(
                new State(Phase.TERMINATING, state.deadlineNanos(), state.deadlineNanos()), List.of(Action.TERM));
    }

    private static Step kill(long killWaitNanos, long nowNanos) {
        return new Step(
                new State(Phase.KILLING, nowNanos + killWaitNanos, nowNanos + KILL_AGAIN_NANOS), List.of(Action.KILL));
    }

    private static Step killAgain(State state, long nowNanos) {
        if (state.wakeNanos() - nowNanos > 0) {
            return new Step(state, List.of());
        }
        return new Step(
                new State(Phase.KILLING, state.deadlineNanos(), nowNanos + KILL_AGAIN_NANOS), List.of(Action.KILL));
    }

    private static Step giveUp(State state) {
        return new Step(
                new State(Phase.ABANDONED, state.deadlineNanos(), state.deadlineNanos()), List.of(Action.GIVE_UP));
    }
}
