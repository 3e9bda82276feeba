/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.plan;

import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CorruptRecordException;
import dev.elasticrun.rendezvous.record.Failure;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.record.Verdict;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseText;
import java.util.Comparator;
import java.util.List;

/** The ways in which a coordinator ends a run. Pure. */
public final class Verdicts {
    /** Exit codes that a verdict can carry. */
    private static final int EXIT_WORKER_FAILURE = 1;

    private static final int EXIT_BELOW_MINIMUM = 3;
    private static final int EXIT_BUDGET_USED = 4;
    private static final int EXIT_STORE_LOST = 5;
    /** As if each agent had got a TERM. */
    public static final int EXIT_STOPPED = 143;
    /** A verdict must stay below the store's limit for one value. */
    private static final int MAX_FAILURES = 32;

    private Verdicts() {}

    static Verdict success() {
        return Verdict.success("all workers ended with exit code 0");
    }

    /** A worker or, with an exit code but no process, its agent wants the run to end. */
    static Verdict stoppedBy(Failure stopRun, List<Failure> failures) {
        if (stopRun.pid() == 0 && stopRun.exitCode() > 0) {
            return new Verdict(false, stopRun.exitCode(), stopRun.message(), causesFirst(failures));
        }
        String reason = "stopped by a worker of " + stopRun.nodeId() + ": " + stopRun.message();
        return new Verdict(false, EXIT_WORKER_FAILURE, reason, List.of(stopRun));
    }

    /** A user ended the run: no failure is the cause. */
    static Verdict stoppedByCommand(Command command) {
        List<Cause> causes = List.of(new Cause.StopCommanded(command.askedBy()));
        return new Verdict(false, EXIT_STOPPED, CauseText.of(causes), List.of(), causes);
    }

    static Verdict belowMinimum(String reason, List<Failure> failures) {
        return new Verdict(false, EXIT_BELOW_MINIMUM, reason, causesFirst(failures));
    }

    /** Workers failed, and no restart is left. */
    static Verdict budgetUsed(Snapshot snapshot, Round round, List<Cause> causes, String reason) {
        return new Verdict(false, exitCode(snapshot), reason, failuresOf(snapshot, round), causes);
    }

    private static int exitCode(Snapshot snapshot) {
        return snapshot.spec().terms().maxRestarts() > 0 ? EXIT_BUDGET_USED : EXIT_WORKER_FAILURE;
    }

    /** The policy itself is at fault, whatever else failed. */
    static Verdict policyUnusable(String reason, List<Failure> failures) {
        return new Verdict(false, EXIT_WORKER_FAILURE, reason, causesFirst(failures));
    }

    /** The workers of all nodes fail to start, and no restart is left. */
    static Verdict nobodyMayStart(Snapshot snapshot) {
        return new Verdict(
                false,
                exitCode(snapshot),
                "no node can start its workers, and no restart is left",
                causesFirst(snapshot.failures()));
    }

    static Verdict nobodyStarts(Snapshot snapshot) {
        return new Verdict(
                false, EXIT_WORKER_FAILURE, "no node can start its workers", causesFirst(snapshot.failures()));
    }

    /** What the store holds is no record of a node: every coordinator would see the same. */
    public static Verdict unreadable(CorruptRecordException cause) {
        return new Verdict(false, EXIT_STORE_LOST, String.valueOf(cause.getMessage()), List.of());
    }

    /** The store does not take so large a round. */
    public static Verdict tooLarge(Round round, int bytes, int limit) {
        String reason = "round " + round.number() + " needs " + bytes + " bytes (expected: at most " + limit + ")";
        return new Verdict(false, EXIT_WORKER_FAILURE, reason, List.of());
    }

    /** Failures of the worker groups that are in the round, causes before consequences. */
    private static List<Failure> failuresOf(Snapshot snapshot, Round round) {
        List<Failure> current = snapshot.failures().stream()
                .filter(failure -> round.participant(failure.nodeId())
                        .filter(place ->
                                place.rankOf(failure.slot(), failure.attempt()).isPresent())
                        .isPresent())
                .toList();
        return causesFirst(current.isEmpty() ? snapshot.failures() : current);
    }

    private static List<Failure> causesFirst(List<Failure> failures) {
        return failures.stream()
                .sorted(Comparator.comparing(Failure::collateral))
                .limit(MAX_FAILURES)
                .toList();
    }
}
