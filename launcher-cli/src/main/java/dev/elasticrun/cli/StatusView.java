/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.util.ArrayList;
import java.util.List;

/** The state of a run as text. Pure. */
final class StatusView {
    private static final List<String> HEADINGS = List.of("RANK", "PID", "LOCAL", "ATTEMPT", "PHASE", "NODE", "ADDRESS");
    private static final String NONE = "-";
    private static final String GAP = "  ";

    private StatusView() {}

    /** @param width longer lines are cut; what matters most is at the left */
    static String render(StatusReply run, int width) {
        List<String> lines = new ArrayList<>();
        lines.add("run " + run.getRunId() + "  incarnation " + run.getIncarnation() + "  policy " + run.getPolicy());
        if (run.getRound() == 0) {
            lines.add("no round yet: waiting for at least " + run.getMinNodes() + " nodes");
        } else {
            lines.add("round " + run.getRound() + (run.getSuspended() ? " (suspended)" : "") + "  world "
                    + run.getWorld() + "  world size " + run.getWorldSize() + "  restarts " + run.getBudgetUsed()
                    + " of " + run.getMaxRestarts() + " used");
            lines.add("cause: " + run.getCause());
        }
        long participants =
                run.getNodesList().stream().filter(NodeStatus::getParticipant).count();
        lines.add("nodes: " + run.getNodesCount() + " live, " + participants + " in the round, " + run.getMinNodes()
                + " to " + run.getMaxNodes() + " wanted");
        lines.add("");
        lines.addAll(table(rows(run)));
        lines.add("");
        lines.add("* coordinator; answered by " + run.getAnsweredBy());
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(cut(line, width)).append(System.lineSeparator()));
        return text.toString();
    }

    /** One line per agent, when nobody said which run. */
    static String runs(List<LocalRuns.LocalRun> agents) {
        StringBuilder text = new StringBuilder("several runs have agents here; choose one with --run-id:");
        text.append(System.lineSeparator());
        for (LocalRuns.LocalRun agent : agents) {
            text.append(GAP)
                    .append(agent.file().run())
                    .append("  node ")
                    .append(agent.file().node())
                    .append(System.lineSeparator());
        }
        return text.toString();
    }

    private static List<List<String>> rows(StatusReply run) {
        List<List<String>> rows = new ArrayList<>(List.of(HEADINGS));
        for (NodeStatus node : run.getNodesList()) {
            String name = node.getNodeId() + (node.getNodeId().equals(run.getCoordinator()) ? " *" : "");
            if (node.getWorkersCount() == 0) {
                rows.add(List.of(NONE, NONE, NONE, NONE, node.getPhase(), name, node.getAddress()));
            }
            for (WorkerStatus worker : node.getWorkersList()) {
                rows.add(List.of(
                        worker.getRank() < 0 ? NONE : Integer.toString(worker.getRank()),
                        worker.getPid() <= 0 ? NONE : Long.toString(worker.getPid()),
                        Integer.toString(worker.getSlot()),
                        Integer.toString(worker.getAttempt()),
                        node.getPhase(),
                        name,
                        node.getAddress()));
            }
        }
        return rows;
    }

    private static List<String> table(List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < row.size(); column++) {
                String cell = row.get(column);
                line.append(cell).append(GAP).append(" ".repeat(width(rows, column) - cell.length()));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String cut(String line, int width) {
        return width < 2 || line.length() <= width ? line : line.substring(0, width - 1) + "~";
    }
}
