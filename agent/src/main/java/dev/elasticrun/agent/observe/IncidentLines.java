/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.observe;

import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.agent.incident.IncidentFact;
import dev.elasticrun.agent.incident.IncidentText;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import dev.elasticrun.rendezvous.restart.IncidentCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What the console shows of rounds and incidents: that the workers of this node work first, a line for each failure of
 * them, and one when all of them work again. The latter waits for the first step after it, which shows how many were
 * lost, if the program reports steps. Owned by the loop.
 */
public final class IncidentLines {
    private static final Set<IncidentCause> LOSSES = Set.of(
            IncidentCause.WORKER_FAILED,
            IncidentCause.LINK_BROKEN,
            IncidentCause.NODE_LOST,
            IncidentCause.NODE_FENCED,
            IncidentCause.STORE_UNREACHABLE);

    private static final Duration SHORT = Duration.ofSeconds(10);

    private final String runId;
    private final AgentSettings settings;
    private final int minNodes;
    private final Set<Integer> failedSlots = new HashSet<>();
    // Of the first failure here that is not over; 0 = there is none.
    private long failedIncident;
    private IncidentFact.@Nullable WorksAgain pending;

    /** @param minNodes with which the run was started */
    public IncidentLines(String runId, AgentSettings settings, int minNodes) {
        this.runId = runId;
        this.settings = settings;
        this.minNodes = minNodes;
    }

    /** @param isWarning whether something failed; else it works, or works again */
    record Line(boolean isWarning, String text) {}

    /** In order; often none. */
    List<Line> of(IncidentFact fact) {
        List<Line> lines = new ArrayList<>();
        if (fact instanceof IncidentFact.Failed failed) {
            lines.addAll(flush());
            lines.add(new Line(true, failed(failed)));
        } else if (fact instanceof IncidentFact.Begun begun) {
            lines.add(new Line(false, begun(begun.round())));
            over();
        } else if (fact instanceof IncidentFact.WorksAgain again) {
            lines.addAll(flush());
            pending = again;
            if (again.stepBefore() == 0 || again.stepAfter() > 0) {
                lines.addAll(flush());
            }
        } else if (fact instanceof IncidentFact.Progressed progressed && pending != null) {
            pending = pending.progressed(progressed.step());
            lines.addAll(flush());
        }
        return lines;
    }

    /** For which a line waits for the first step. */
    Optional<IncidentFact.WorksAgain> pending() {
        return Optional.ofNullable(pending);
    }

    /** The line that waits, without steps. */
    List<Line> flush() {
        IncidentFact.WorksAgain again = pending;
        pending = null;
        if (again == null) {
            return List.of();
        }
        Line line = new Line(false, again(again));
        over();
        return List.of(line);
    }

    private void over() {
        failedIncident = 0;
        failedSlots.clear();
    }

    private String failed(IncidentFact.Failed failed) {
        if (failedIncident == 0) {
            failedIncident = failed.incident();
        }
        if (failed.failure() instanceof RunEvent.WorkerFailed worker) {
            failedSlots.add(worker.worker().slot());
            return failed(worker)
                    + (worker.collateral() ? " (follows from another failure)" : others(failed.round(), worker.rank()));
        }
        RunEvent.PauseExpired expired = (RunEvent.PauseExpired) failed.failure();
        failedSlots.addAll(expired.slots());
        return who(expired) + " (node " + settings.nodeId() + ") " + what(expired);
    }

    static String who(RunEvent.WorkerFailed failed) {
        return failed.rank() >= 0
                ? "rank " + failed.rank()
                : "local rank " + failed.worker().slot();
    }

    static String who(RunEvent.PauseExpired expired) {
        String slots = expired.slots().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return (expired.slots().size() == 1 ? "local rank " : "local ranks ") + slots;
    }

    static String what(RunEvent.PauseExpired expired) {
        return "did not acknowledge PAUSE within " + expired.seconds() + " s";
    }

    private String failed(RunEvent.WorkerFailed failed) {
        boolean isRanked = failed.rank() >= 0;
        String pid = failed.end().pid() > 0 ? ", pid " + failed.end().pid() : "";
        String how = IncidentText.how(
                failed.found().how(), failed.end().exitCode(), failed.found().message());
        // What the report of the incident states of signals, but not who may have sent it.
        int source = failed.found().how() == FailureKind.SIGNAL ? how.indexOf(" (") : -1;
        return who(failed) + " (node " + settings.nodeId() + pid + (isRanked ? ") " : "), which had no rank yet, ")
                + (source < 0 ? how : how.substring(0, source));
    }

    /** What becomes of the others, as the policy has it. */
    private String others(@Nullable Round round, int rank) {
        Participant place =
                round == null ? null : round.participant(settings.nodeId()).orElse(null);
        if (round == null || place == null || rank < 0) {
            return "";
        }
        boolean isUsedUp = round.budgetUsed() >= settings.restarts().budget().max();
        if (!settings.workersOutliveRounds()) {
            return isUsedUp ? "; no restart is left" : "; all workers start again";
        }
        return switch (settings.restarts().failedWorker()) {
            case STOPS_THE_NODE ->
                round.participants().size() > minNodes
                        ? others(round.worldSize() - place.size(), " continues", " continue")
                        : others(round.worldSize() - place.size(), " waits", " wait");
            case LEAVES_ALONE -> others(round.worldSize() - failedSlots.size(), " continues", " continue");
            case IS_REPLACED ->
                isUsedUp
                        ? "; no restart is left"
                        : others(round.worldSize() - failedSlots.size(), " waits for another", " wait for another");
        };
    }

    private static String others(int count, String one, String many) {
        return count <= 0 ? "" : "; " + count(count, "worker") + (count == 1 ? one : many);
    }

    private String begun(Round round) {
        String works = "round " + round.number() + ": " + count(round.worldSize(), "worker") + " on "
                + count(round.participants().size(), "node")
                + (round.worldSize() == 1 ? " works" : " work");
        return failedIncident == 0
                ? works
                : works + " after " + round.cause() + ", " + restarts(round)
                        + details(Math.min(failedIncident, round.incident()));
    }

    private String again(IncidentFact.WorksAgain again) {
        Round now = again.round();
        // What let them resume may be that the lost node came back.
        Round first = again.suspended() == null ? now : again.suspended();
        boolean isLoss = LOSSES.contains(IncidentCause.of(first.causes()));
        String what = failedIncident > 0
                ? "recovered"
                : again.storeOnly()
                        ? "recovered (the store was not reachable)"
                        : isLoss
                                ? "recovered (" + first.cause() + ")"
                                : "continues in round " + now.number() + " (" + now.cause() + ")";
        String world = again.worldBefore() == now.worldSize() ? "world " : "world " + again.worldBefore() + " -> ";
        return what + ": " + stall(again.stoppedNanos()) + " stall, " + lost(again) + world + now.worldSize() + ", "
                + restarts(now)
                + details(failedIncident > 0 ? Math.min(failedIncident, now.incident()) : now.incident());
    }

    private static String lost(IncidentFact.WorksAgain again) {
        Optional<Long> steps = again.stepsLost();
        if (steps.isPresent()) {
            return count(steps.get(), "step") + " lost, ";
        }
        return again.versionBefore() == 0
                ? ""
                : again.version() < again.versionBefore()
                        ? "back from checkpoint " + again.versionBefore() + " to " + again.version() + ", "
                        : "no checkpoint lost, ";
    }

    private static String stall(long nanos) {
        Duration stall = Duration.ofNanos(nanos);
        return stall.compareTo(SHORT) < 0 ? stall.toMillis() + " ms" : stall.toSeconds() + " s";
    }

    private String restarts(Round round) {
        return "restarts " + round.budgetUsed() + "/"
                + settings.restarts().budget().max()
                + settings.restarts().budget().within();
    }

    private String details(long incident) {
        return " (details: elastic-run explain " + incident + " --run-id " + runId + ")";
    }

    private static String count(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
