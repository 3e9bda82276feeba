/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.context.AgentSettings;
import dev.elasticrun.agent.rules.AgentState;
import dev.elasticrun.agent.rules.GroupState;
import dev.elasticrun.agent.rules.WorkerView;
import dev.elasticrun.rendezvous.record.KeptOut;
import dev.elasticrun.rendezvous.record.Participant;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Describes what a node's agent waits for at this moment, as text. Pure. */
final class WaitView {
    private static final int MAX_NAMES = 6;
    private static final String NEVER_READY =
            " (a program that never calls getWorkerInfo() needs " + Settings.RESTART_POLICY.option() + " hard)";

    private WaitView() {}

    /**
     * Waits of one kind count as one wait, measured from its beginning, also when the workers or nodes waited for
     * change.
     */
    public enum Kind {
        STORE,
        WORKERS_READY,
        PAUSE,
        WORKERS_GONE,
        ROUND,
        PLACE,
        BACK_OFF,
        OTHERS_DONE,
        OTHERS_GONE
    }

    /** @param whom text that follows "has waited for" */
    record Wait(Kind kind, String whom) {}

    /**
     * What an agent knows besides its state.
     *
     * @param coordinator node id; empty = not known
     * @param coordinates whether it is this node
     * @param waitingFor what this node as the coordinator waits for, unless that is on the console already
     * @param serving whether the agent has left, and only serves the store for others
     */
    record Surroundings(String coordinator, boolean coordinates, String waitingFor, boolean serving) {}

    static Optional<Wait> of(AgentState state, AgentSettings settings, Surroundings around) {
        GroupState group = state.group();
        if (around.serving()) {
            return wait(Kind.OTHERS_GONE, "the other nodes of the run to leave: this one serves the store");
        }
        if (group.phase() == GroupState.Phase.STOPPING) {
            return wait(
                    Kind.WORKERS_GONE,
                    workers(group, worker -> !worker.is(WorkerView.Mark.GONE)) + " to end; KILL comes after "
                            + SettingTexts.text(settings.times().shutdown()));
        }
        if (state.isEnding()) {
            return Optional.empty();
        }
        if (state.identity() == null) {
            return wait(Kind.STORE, "the store to answer");
        }
        return switch (state.phase()) {
            case STARTING -> starting(state, settings);
            case READY -> round(state, settings, around);
            case ACTIVE -> active(state, settings, around);
            case STANDBY -> wait(Kind.PLACE, "a place in the run: " + working(state) + coordinator(around));
            case DONE -> wait(Kind.OTHERS_DONE, "the workers of other nodes to end: " + others(state, settings));
            // Store failures are reported separately; an agent that leaves waits only for its workers.
            case FENCED, DRAINING, BROKEN -> Optional.empty();
            case BACKING_OFF ->
                wait(
                        Kind.BACK_OFF,
                        "its next attempt: workers failed to start "
                                + group.startFailures().own() + " times in a row" + coordinator(around));
        };
    }

    private static Optional<Wait> starting(AgentState state, AgentSettings settings) {
        GroupState group = state.group();
        if (!group.running() || group.allReady()) {
            return Optional.empty();
        }
        return wait(
                Kind.WORKERS_READY,
                workers(group, worker -> !worker.ready() && !worker.ended()) + " to report READY"
                        + (settings.workersOutliveRounds() && state.round() == null ? NEVER_READY : ""));
    }

    private static Optional<Wait> active(AgentState state, AgentSettings settings, Surroundings around) {
        Round round = state.round();
        if (round == null || !round.suspended() || state.workingRound() > 0) {
            return Optional.empty();
        }
        GroupState group = state.group();
        Predicate<WorkerView> isOpen = worker -> worker.running() && worker.acknowledged() < group.eventSeq();
        if (group.running() && group.workers().stream().anyMatch(isOpen)) {
            return wait(Kind.PAUSE, workers(group, isOpen) + " to acknowledge PAUSE");
        }
        return round(state, settings, around);
    }

    private static Optional<Wait> round(AgentState state, AgentSettings settings, Surroundings around) {
        if (around.coordinates() && around.waitingFor().isEmpty()) {
            return Optional.empty();
        }
        Round round = state.round();
        String what = round == null
                ? "the first round"
                : round.suspended()
                        ? "the round after " + round.number() + " (" + round.cause() + ")"
                        : "a place in a round: " + keptOut(state, settings) + working(state);
        return wait(Kind.ROUND, what + coordinator(around));
    }

    private static String keptOut(AgentState state, AgentSettings settings) {
        Round round = state.round();
        return round == null
                ? ""
                : KeptOut.reason(round, settings.nodeId())
                        .map(why -> "this node is kept out (" + why + "); ")
                        .orElse("");
    }

    private static String working(AgentState state) {
        Round round = state.round();
        return round == null
                ? "it has no round yet"
                : "round " + round.number() + " has " + round.participants().size()
                        + (round.participants().size() == 1 ? " node" : " nodes");
    }

    private static String coordinator(Surroundings around) {
        if (around.coordinates()) {
            return around.waitingFor().isEmpty() ? "" : "; " + around.waitingFor();
        }
        return around.coordinator().isEmpty()
                ? "; no coordinator is known"
                : "; " + around.coordinator() + " is the coordinator";
    }

    private static String others(AgentState state, AgentSettings settings) {
        Round round = state.round();
        return round == null
                ? "none is known"
                : names(round.participants().stream()
                        .map(Participant::nodeId)
                        .filter(node -> !node.equals(settings.nodeId()))
                        .toList());
    }

    private static String workers(GroupState group, Predicate<WorkerView> which) {
        List<String> names = group.workers().stream()
                .filter(which)
                .map(worker -> worker.slot() + (worker.pid() == 0 ? "" : " (pid " + worker.pid() + ")"))
                .toList();
        return (names.size() == 1 ? "worker " : "workers ") + names(names);
    }

    private static String names(List<String> names) {
        String first = names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
        return names.size() <= MAX_NAMES ? first : first + " and " + (names.size() - MAX_NAMES) + " more";
    }

    private static Optional<Wait> wait(Kind kind, String whom) {
        return Optional.of(new Wait(kind, whom));
    }
}
