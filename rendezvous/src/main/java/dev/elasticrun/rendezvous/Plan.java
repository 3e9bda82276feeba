/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous;

import java.time.Duration;
import java.util.List;

/**
 * A decision, what to remember for the next one, and why. For a wait, the reason says for whom.
 */
record Plan(Decision decision, Gathering gathering, String reason) {

    static Plan idle(String reason, long nowNanos) {
        return new Plan(new Decision.Idle(), Gathering.nothing(nowNanos), reason);
    }

    static Plan end(Verdict verdict, long nowNanos) {
        return new Plan(new Decision.End(verdict), Gathering.nothing(nowNanos), verdict.reason());
    }

    /** Waits until the time-out of this wait has passed, then ends the run. */
    static Plan waitOrEnd(Gathering wait, Duration timeout, long nowNanos, String reason, Verdict verdict) {
        long deadline = wait.deadlineNanos(timeout);
        return nowNanos - deadline < 0
                ? new Plan(new Decision.Wait(deadline), wait, reason)
                : new Plan(new Decision.End(verdict), wait, verdict.reason());
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
