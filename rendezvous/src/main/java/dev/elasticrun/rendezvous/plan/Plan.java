/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Node;
import dev.elasticrun.rendezvous.record.Verdict;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A decision, what to remember for the next one, and why. For a wait, the reason names the nodes.
 *
 * @param reason without what changes by itself, so that it is reported again only when it changes
 * @param times how long waits still take
 * @param settled the command that is consumed with it; null = none
 */
public record Plan(
        Decision decision,
        Gathering gathering,
        String reason,
        String times,
        @Nullable CommandResult settled) {

    public Plan(Decision decision, Gathering gathering, String reason) {
        this(decision, gathering, reason, "");
    }

    public Plan(Decision decision, Gathering gathering, String reason, String times) {
        this(decision, gathering, reason, times, null);
    }

    /** Every healthy start waits for this a little. */
    private static final Duration HINT_AFTER = Duration.ofSeconds(5);

    /** The same, with a command that is consumed by it. */
    Plan settling(CommandResult command) {
        return new Plan(decision, gathering, reason, times, command);
    }

    /** The reason with the times, human-readable. */
    public String text() {
        return reason + times;
    }

    /** Rounded up. */
    static long seconds(long untilNanos, long nowNanos) {
        return Math.max(0, untilNanos - nowNanos + 999_999_999) / 1_000_000_000;
    }

    public static Plan idle(String reason, long nowNanos) {
        return new Plan(new Decision.Idle(), Gathering.nothing(nowNanos), reason);
    }

    static Plan end(Verdict verdict, long nowNanos) {
        return new Plan(new Decision.End(verdict), Gathering.nothing(nowNanos), verdict.reason());
    }

    /**
     * Waits until the time-out of this wait has passed, then ends the run.
     *
     * @param membershipText which nodes are there and which are missing
     */
    static Plan waitOrEnd(
            Gathering wait, Duration timeout, long nowNanos, String membershipText, List<Failure> failures) {
        long deadline = wait.deadlineNanos(timeout);
        if (nowNanos - deadline < 0) {
            String times = "; for " + seconds(deadline, nowNanos) + " s more";
            return new Plan(new Decision.Wait(deadline), wait, membershipText, times);
        }
        return end(
                Verdicts.belowMinimum(membershipText + "; waited for " + timeout.toSeconds() + " s", failures),
                nowNanos);
    }

    /** How long workers load is their affair. */
    static Plan waitForReady(List<Node> laggards, Gathering gathering, long nowNanos) {
        Gathering wait = gathering.become(Gathering.Kind.READINESS, nowNanos);
        boolean isLong = nowNanos - wait.deadlineNanos(HINT_AFTER) >= 0;
        return new Plan(
                new Decision.Wait(Long.MAX_VALUE),
                wait,
                "waiting for the workers of " + Node.names(laggards) + " to report READY",
                isLong ? " (a program that never calls getWorkerInfo() needs --restart-policy hard)" : "");
    }
}
