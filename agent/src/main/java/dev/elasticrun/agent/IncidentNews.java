/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.trail.Sighting;
import dev.elasticrun.rendezvous.Round;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the console shows of an incident: a line for each failure of this node's workers, and one when all of them work
 * again. Owned by one thread.
 */
final class IncidentNews {
    private final String runId;
    private final String nodeId;
    private final int slots;
    private final int maxRestarts;
    private final Set<Integer> resumed = new HashSet<>();
    private @Nullable Round working;
    private int worldBefore;
    private boolean stands;
    /** In which the lease was in doubt, and that may go on; 0 = none. */
    private long doubtedRound;

    private long stoodSince;
    private long versionBefore;

    /**
     * @param slots workers of the node
     * @param maxRestarts of the run
     */
    IncidentNews(String runId, String nodeId, int slots, int maxRestarts) {
        this.runId = runId;
        this.nodeId = nodeId;
        this.slots = slots;
        this.maxRestarts = maxRestarts;
    }

    /** @param isWarning whether something failed; else it is over */
    record Line(boolean isWarning, String text) {}

    /** @param round the newest that the agent knows; null before the first */
    Optional<Line> see(Sighting seen, @Nullable Round round) {
        RunEvent event = seen.event();
        if (event instanceof RunEvent.WorkerFailed failed) {
            stand(seen.nanos());
            return Optional.of(new Line(true, failure(failed)));
        } else if (event instanceof RunEvent.PauseExpired expired) {
            stand(seen.nanos());
            return Optional.of(new Line(true, failure(expired)));
        } else if (event instanceof RunEvent.IncidentPaused || event instanceof RunEvent.WorkersStopping) {
            stand(seen.nanos());
        } else if (event instanceof RunEvent.NodeFenced fenced) {
            doubtedRound = fenced.workingRound();
        } else if (event instanceof RunEvent.PauseAcknowledged acknowledged) {
            versionBefore = Math.max(versionBefore, acknowledged.version());
        } else if (event instanceof RunEvent.WorkerExited exited) {
            versionBefore = Math.max(versionBefore, exited.version());
        } else if (event instanceof RunEvent.WorkPublished) {
            resumed.clear();
            working = round;
        } else if (event instanceof RunEvent.WorkerResumed worker) {
            return resume(worker, seen.nanos());
        }
        return Optional.empty();
    }

    private void stand(long nanos) {
        if (!stands && worldBefore > 0) {
            stands = true;
            stoodSince = nanos;
        }
    }

    private Optional<Line> resume(RunEvent.WorkerResumed event, long nanos) {
        Round now = working;
        if (now == null || event.resumedRound() != now.number()) {
            return Optional.empty();
        }
        resumed.add(event.worker().slot());
        if (resumed.size() < slots) {
            return Optional.empty();
        }
        Optional<Line> line =
                stands ? Optional.of(new Line(false, over(now, nanos, event.version()))) : Optional.empty();
        worldBefore = now.worldSize();
        stands = false;
        versionBefore = 0;
        doubtedRound = 0;
        return line;
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

    private String over(Round now, long nanos, long version) {
        String lost = versionBefore == 0
                ? ""
                : version < versionBefore
                        ? "back from checkpoint " + versionBefore + " to " + version + ", "
                        : "no checkpoint lost, ";
        String cause = now.number() == doubtedRound ? "the store was not reachable" : now.cause();
        return "works again in round " + now.number() + " (" + cause + "): "
                + Duration.ofNanos(nanos - stoodSince).toMillis() + " ms stall, " + lost + "world size " + worldBefore
                + " -> " + now.worldSize() + ", restarts used " + now.budgetUsed() + " of " + maxRestarts
                + "; elastic-run explain " + now.incident() + " --run-id " + runId;
    }
}
