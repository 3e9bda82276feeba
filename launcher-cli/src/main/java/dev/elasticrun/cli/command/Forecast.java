/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a command will do, before it is sent. Pure.
 *
 * @param text one human-readable line
 * @param harmless whether no worker is stopped or sent away by it
 */
record Forecast(String text, boolean harmless) {

    static Forecast drain(StatusReply run, NodeStatus node) {
        String what = "drain " + node.getNodeId() + ": ";
        if (!node.getParticipant()) {
            return new Forecast(what + "it is not in the round, and leaves run " + run.getRunId(), false);
        }
        long members = members(run) - 1;
        return new Forecast(
                what + "its " + stopping(node.getWorkersCount()) + ", and it leaves run " + run.getRunId() + "; "
                        + nodes(members) + " with " + workers(run.getWorldSize() - node.getWorkersCount())
                        + " go on (at least " + nodes(run.getMinNodes()) + (run.getMinNodes() == 1 ? " is" : " are")
                        + " needed)",
                false);
    }

    static Forecast scale(StatusReply run, int min, int max) {
        String what = "scale " + min + ":" + max + ", now " + run.getMinNodes() + ":" + run.getMaxNodes() + ": ";
        long members = members(run);
        long ready = run.getNodesList().stream()
                .filter(node -> !node.getParticipant())
                .filter(node ->
                        node.getPhase().equals("STANDBY") || node.getPhase().equals("READY"))
                .count();
        if (members > max) {
            return new Forecast(
                    what + nodes(members - max)
                            + (members - max == 1
                                    ? ", the one that joined last, stands"
                                    : ", those that joined last, stand")
                            + " by from then on; " + nodes(max)
                            + (max == 1 ? " goes" : " go") + " on",
                    false);
        }
        long joining = Math.min(ready, max - members);
        return new Forecast(
                what
                        + (joining == 0
                                ? "no node joins or leaves now"
                                : nodes(joining)
                                        + (joining == 1 ? " joins, which stands by" : " join, which stand by")),
                true);
    }

    static Forecast stop(StatusReply run) {
        return new Forecast(
                "stop: run " + run.getRunId() + " ends on " + nodes(run.getNodesCount())
                        + " with exit code 143, and its "
                        + stopping(allWorkers(run)),
                false);
    }

    static Forecast restart(StatusReply run) {
        return new Forecast(
                "restart: all workers of run " + run.getRunId() + ", " + run.getWorldSize()
                        + ", stop and are started afresh; no restart is used up",
                false);
    }

    /**
     * The node that is meant.
     *
     * @throws UsageException when it is none or several; names those that there are
     */
    static NodeStatus node(StatusReply run, String typed) {
        List<Predicate<NodeStatus>> ways = List.of(
                node -> node.getNodeId().equals(typed),
                node -> node.getHostLabel().equals(typed),
                node -> node.getNodeId().startsWith(typed));
        for (Predicate<NodeStatus> way : ways) {
            List<NodeStatus> found = run.getNodesList().stream().filter(way).toList();
            if (found.size() == 1) {
                return found.get(0);
            }
            if (found.size() > 1) {
                throw UsageException.of("NODE", typed, "one node; that is " + names(found));
            }
        }
        throw UsageException.of("NODE", typed, "one of " + names(run.getNodesList()));
    }

    private static String names(List<NodeStatus> nodes) {
        return nodes.stream().map(NodeStatus::getNodeId).collect(Collectors.joining(", "));
    }

    private static long members(StatusReply run) {
        return run.getNodesList().stream().filter(NodeStatus::getParticipant).count();
    }

    private static int allWorkers(StatusReply run) {
        return run.getNodesList().stream().mapToInt(NodeStatus::getWorkersCount).sum();
    }

    private static String stopping(long count) {
        return workers(count) + (count == 1 ? " stops" : " stop");
    }

    private static String nodes(long count) {
        return count + (count == 1 ? " node" : " nodes");
    }

    private static String workers(long count) {
        return count + (count == 1 ? " worker" : " workers");
    }
}
