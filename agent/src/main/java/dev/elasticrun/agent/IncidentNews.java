/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.trail.Sighting;
import dev.elasticrun.rendezvous.Round;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
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
    private final Set<Long> resumed = new HashSet<>();
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
    Optional<Line> see(Sighting event, @Nullable Round round) {
        switch (event.kind()) {
            case "incident.detected" -> {
                // With the next round it is what the coordinator decided, on whatever node.
                if (event.number("next_round").isEmpty()) {
                    stand(event.nanos());
                    return Optional.of(new Line(true, failure(event)));
                }
            }
            case "incident.paused", "workers.stopping" -> stand(event.nanos());
            case "node.fenced" -> doubtedRound = event.number("working_round").orElse(0);
            case "pause.acknowledged", "worker.exited" ->
                versionBefore = Math.max(versionBefore, event.number("version").orElse(0));
            case "work.published" -> {
                resumed.clear();
                working = round;
            }
            case "worker.resumed" -> {
                return resume(event);
            }
            default -> {}
        }
        return Optional.empty();
    }

    private void stand(long nanos) {
        if (!stands && worldBefore > 0) {
            stands = true;
            stoodSince = nanos;
        }
    }

    private Optional<Line> resume(Sighting event) {
        Round now = working;
        if (now == null || event.number("resumed_round").orElse(0) != now.number()) {
            return Optional.empty();
        }
        resumed.add(event.number("slot").orElse(0));
        if (resumed.size() < slots) {
            return Optional.empty();
        }
        Optional<Line> line = stands
                ? Optional.of(new Line(
                        false, over(now, event.nanos(), event.number("version").orElse(0))))
                : Optional.empty();
        worldBefore = now.worldSize();
        stands = false;
        versionBefore = 0;
        doubtedRound = 0;
        return line;
    }

    private String failure(Sighting event) {
        if (event.text("message").isEmpty()) {
            return "local ranks " + event.text("slots") + " of node " + nodeId + " failed: " + event.text("cause");
        }
        long rank = event.number("rank").orElse(-1);
        return (rank < 0 ? "a worker without a rank" : "rank " + rank) + " (node " + nodeId + ", local rank "
                + event.text("slot") + ", pid " + event.text("pid") + ") failed: " + event.text("message")
                + (Boolean.TRUE.equals(event.fields().get("collateral")) ? " (follows from another failure)" : "");
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
