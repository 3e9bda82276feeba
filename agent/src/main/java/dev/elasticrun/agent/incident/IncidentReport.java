/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.incident;

import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * One incident: who, how we know, what was done, what it cost.
 *
 * @param number as events have it; the start of the run is 1. The end of a run that no round answered has the next one,
 *     a pause within a round that of the round
 * @param time of its first event, on the clock of that host
 * @param fromRound the round that it ended; 0 = there was none
 * @param toRound the round that answered it; 0 = there is none
 * @param cause in the coordinator's words; empty when it said none
 * @param culprits who began it first, who followed last
 * @param outcome what came of it
 * @param worldSize workers of the round that answered it
 * @param nodes of that round
 * @param coordinator who decided; empty = not known
 * @param restartsUsed by then; negative = not known
 * @param maxRestarts negative = not known
 * @param waited what the run waited for, in the coordinator's words; empty = it did not
 * @param keptOut nodes that the coordinator did not put into a round after it
 * @param survivors processes that worked before and go on in that round; negative = not known
 * @param end the run's shared end, or why agents ended, in words; empty = it went on
 */
public record IncidentReport(
        long number,
        Instant time,
        long fromRound,
        long toRound,
        String cause,
        List<Culprit> culprits,
        Outcome outcome,
        int worldSize,
        List<String> nodes,
        String coordinator,
        long restartsUsed,
        long maxRestarts,
        String waited,
        List<KeptOut> keptOut,
        int survivors,
        String end,
        Cost cost) {

    /**
     * A node that was ready.
     *
     * @param why in words
     * @param seconds for how long; negative = not known
     */
    public record KeptOut(String node, String why, long seconds) {}

    /** What came of it. */
    public enum Outcome {
        /** The start of the run. */
        STARTED,
        /** The next round was sealed: workers that could went on. */
        WENT_ON,
        /** The next round was sealed, and all workers were started again. */
        RESTARTED,
        /** The same round went on, or will when its cause is over: nothing was decided. */
        PAUSED,
        /** No round has answered it yet. */
        WAITS,
        /** The run ended as succeeded. */
        SUCCEEDED,
        /** Somebody ended the run by a command. */
        STOPPED,
        /** The run ended as failed, or its agents did without a shared end. */
        FAILED,
        /** The agents were told to leave. */
        LEFT;

        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether it is a pause within a round: it has the number of the incident that led to that round. */
    public boolean isPause() {
        return outcome == Outcome.PAUSED;
    }

    /** When all worked again, as {@link #time} and the cost have it. */
    public Instant over() {
        return time.plusMillis(Math.round(cost.total()));
    }

    /** Whether nothing has answered it yet. */
    public boolean isOpen() {
        return outcome == Outcome.WAITS || (isPause() && toRound == 0);
    }

    public IncidentReport {
        culprits = List.copyOf(culprits);
        nodes = List.copyOf(nodes);
        keptOut = List.copyOf(keptOut);
    }
}
