/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.time.Duration;
import java.util.List;

/**
 * A decision, what to remember for the next one, and why. For a wait, the reason says for whom.
 *
 * @param reason without what changes by itself, so that it is told again only when it changes
 * @param times how long waits still take
 */
record Plan(Decision decision, Gathering gathering, String reason, String times) {

    Plan(Decision decision, Gathering gathering, String reason) {
        this(decision, gathering, reason, "");
    }

    /** The reason with the times, for people. */
    String text() {
        return reason + times;
    }

    /** Rounded up. */
    static long seconds(long untilNanos, long nowNanos) {
        return Math.max(0, untilNanos - nowNanos + 999_999_999) / 1_000_000_000;
    }

    static Plan idle(String reason, long nowNanos) {
        return new Plan(new Decision.Idle(), Gathering.nothing(nowNanos), reason);
    }

    static Plan end(Verdict verdict, long nowNanos) {
        return new Plan(new Decision.End(verdict), Gathering.nothing(nowNanos), verdict.reason());
    }

    /**
     * Waits until the time-out of this wait has passed, then ends the run.
     *
     * @param headcount who is there and who is missing
     */
    static Plan waitOrEnd(Gathering wait, Duration timeout, long nowNanos, String headcount, List<Failure> failures) {
        long deadline = wait.deadlineNanos(timeout);
        if (nowNanos - deadline < 0) {
            String times = "; for " + seconds(deadline, nowNanos) + " s more";
            return new Plan(new Decision.Wait(deadline), wait, headcount, times);
        }
        return end(Verdicts.belowMinimum(headcount + "; waited for " + timeout.toSeconds() + " s", failures), nowNanos);
    }

    /** How long workers load is their affair. */
    static Plan waitForReady(List<Node> laggards, Gathering gathering, long nowNanos) {
        return new Plan(
                new Decision.Wait(Long.MAX_VALUE),
                gathering.become(Gathering.Kind.READINESS, nowNanos),
                "waiting for the workers of "
                        + String.join(", ", laggards.stream().map(Node::nodeId).toList())
                        + " to report READY (a program that never calls getWorkerInfo() needs --restart-policy hard)");
    }
}
