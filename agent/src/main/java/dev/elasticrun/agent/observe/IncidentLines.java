/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.terms.RestartBudget;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the console shows of an incident: a line for each failure of this node's workers, and one when all of them work
 * again. Pure.
 *
 * @param budget of the run
 */
public record IncidentLines(String runId, String nodeId, RestartBudget budget) {

    /** @param isWarning whether something failed; else it is over */
    record Line(boolean isWarning, String text) {}

    /** Empty = not for the console. */
    Optional<Line> of(IncidentFact fact) {
        if (fact instanceof IncidentFact.Failed failed) {
            return Optional.of(new Line(true, failure(failed.failure())));
        } else if (fact instanceof IncidentFact.WorksAgain again) {
            return Optional.of(new Line(false, over(again)));
        }
        return Optional.empty();
    }

    private String failure(RunEvent.OfFailure failure) {
        return failure instanceof RunEvent.WorkerFailed failed
                ? failure(failed)
                : failure((RunEvent.PauseExpired) failure);
    }

    private String failure(RunEvent.PauseExpired expired) {
        String slots = expired.slots().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return "local ranks " + slots + " of node " + nodeId + " failed: PAUSE not acknowledged";
    }

    private String failure(RunEvent.WorkerFailed failed) {
        return (failed.rank() < 0 ? "a worker without a rank" : "rank " + failed.rank()) + " (node " + nodeId
                + ", local rank " + failed.worker().slot() + ", pid "
                + failed.end().pid() + ") failed: " + failed.found().message()
                + (failed.collateral() ? " (follows from another failure)" : "");
    }

    private String over(IncidentFact.WorksAgain again) {
        Round now = again.round();
        String lost = again.versionBefore() == 0
                ? ""
                : again.version() < again.versionBefore()
                        ? "back from checkpoint " + again.versionBefore() + " to " + again.version() + ", "
                        : "no checkpoint lost, ";
        String cause = again.storeOnly() ? "the store was not reachable" : now.cause();
        return "works again in round " + now.number() + " (" + cause + "): "
                + Duration.ofNanos(again.stoppedNanos()).toMillis() + " ms stall, " + lost + "world size "
                + again.worldBefore() + " -> " + now.worldSize() + ", restarts used " + now.budgetUsed() + " of "
                + budget.max() + budget.within() + "; elastic-run explain " + now.incident() + " --run-id " + runId;
    }
}
