/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.command;

import dev.elasticrun.agent.rules.EndRules;
import dev.elasticrun.rendezvous.record.Command;
import dev.elasticrun.rendezvous.record.CommandResult;
import dev.elasticrun.rendezvous.record.NodePhase;
import dev.elasticrun.rendezvous.record.NodeRecord;
import dev.elasticrun.rendezvous.record.Round;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Decides whether an accepted command has come to its end, and describes its result. Pure. */
record CommandGoal(CommandResult settled) {

    /**
     * What the command waits for, as text; empty = it is done.
     *
     * @param round the newest; null before the first
     * @param nodes live nodes of the run
     */
    String waitsFor(@Nullable Round round, List<NodeRecord> nodes) {
        Command command = settled.command();
        return switch (command.kind()) {
            case STOP -> "all agents to receive it";
            case RESTART -> waitsForRestart(round);
            case DRAIN -> waitsForDrain(round, nodes);
            case SCALE -> waitsForScale(round, nodes);
        };
    }

    private String waitsForRestart(@Nullable Round round) {
        return round == null || round.suspended() || round.number() <= settled.round()
                ? "fresh workers, and for the round after round " + settled.round()
                : "";
    }

    private String waitsForDrain(@Nullable Round round, List<NodeRecord> nodes) {
        String nodeId = settled.command().nodeId();
        boolean member = round != null && round.participant(nodeId).isPresent();
        if (member) {
            return "a round without " + nodeId;
        }
        boolean lives = nodes.stream().anyMatch(node -> node.nodeId().equals(nodeId));
        if (lives) {
            return nodeId + " to stop its workers and leave";
        }
        // Its members may be too few: that is not for this command to wait for.
        return "";
    }

    private String waitsForScale(@Nullable Round round, List<NodeRecord> nodes) {
        if (round == null || round.number() == 0) {
            return "";
        }
        int max = settled.command().nodes().maxNodes();
        int members = round.participants().size();
        if (members > max) {
            return (members - max) + (members - max == 1 ? " node" : " nodes") + " to stand by";
        }
        String ready = nodes.stream()
                .filter(node -> node.phase() == NodePhase.READY || node.phase() == NodePhase.STANDBY)
                .map(NodeRecord::nodeId)
                .filter(nodeId -> round.participant(nodeId).isEmpty())
                .limit(Math.max(0, max - members))
                .collect(Collectors.joining(", "));
        return ready.isEmpty() ? "" : ready + " to be admitted";
    }

    /** The result of the command, in one line. */
    String done(@Nullable Round round, long stallNanos) {
        Command command = settled.command();
        String what =
                switch (command.kind()) {
                    case STOP -> "stopped";
                    case RESTART -> "restarted";
                    case DRAIN -> "drained " + command.nodeId();
                    case SCALE -> "scaled to " + command.nodes().text();
                };
        if (command.kind() == Command.Kind.STOP) {
            return what + ": all agents end with exit code " + EndRules.DRAINED;
        }
        if (round == null || round.number() == 0) {
            return what + ": there is no round yet";
        }
        return what + ": round " + round.number() + (round.suspended() ? " waits with " : " with ")
                + round.worldSize() + (round.worldSize() == 1 ? " worker" : " workers")
                + (round.number() == settled.round() && !round.suspended() ? ", as before" : "")
                + (stallNanos == 0 ? "" : ", stall " + millis(stallNanos));
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.0f ms", nanos / (double) TimeUnit.MILLISECONDS.toNanos(1));
    }
}
