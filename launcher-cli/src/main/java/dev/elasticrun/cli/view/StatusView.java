/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.view;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.cli.text.Durations;
import dev.elasticrun.cli.text.PlainText;
import dev.elasticrun.cli.text.TextTable;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The state of a run as text. Pure. */
public final class StatusView {
    private static final String GAP = "  ";

    private StatusView() {}

    /** @param width longer lines are cut; what matters most is at the left */
    public static String render(StatusReply run, int width) {
        List<String> lines = new ArrayList<>(head(run, width));
        lines.add("");
        lines.addAll(TextTable.lines(nodes(run)));
        lines.add("");
        lines.addAll(TextTable.lines(workers(run)));
        lines.add("");
        lines.add("* coordinator; answered by " + run.getAnsweredBy());
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(cut(PlainText.line(line), width)).append(System.lineSeparator()));
        return text.toString();
    }

    private static List<String> head(StatusReply run, int width) {
        List<String> lines = new ArrayList<>();
        lines.add("run " + run.getRunId() + "  incarnation " + run.getIncarnation() + "  policy " + run.getPolicy()
                + encryption(run));
        if (run.getRound() == 0) {
            lines.add("no round yet: waiting for at least " + run.getMinNodes() + " nodes"
                    + (run.getRestarts() == 0 ? "" : restarts(run)));
        } else {
            lines.add("round " + run.getRound() + (run.getSuspended() ? " (suspended)" : "") + age(run)
                    + "  world size " + run.getWorldSize() + restarts(run)
                    + (version(run) == 0 ? "" : "  checkpoint " + version(run)));
            lines.add("last change: " + run.getCause() + " (incident " + run.getIncident() + ")");
        }
        if (!run.getWaitingFor().isEmpty()) {
            String what = run.getWaitingFor();
            lines.addAll(wrap(what.startsWith("waiting ") ? what : "waiting: " + what, width));
        }
        long participants =
                run.getNodesList().stream().filter(NodeStatus::getParticipant).count();
        lines.add("nodes: " + run.getNodesCount() + " live, " + participants + " in the round, " + run.getMinNodes()
                + " to " + run.getMaxNodes() + " wanted");
        first(run)
                .map(WorkerRow::metrics)
                .filter(text -> !text.isEmpty())
                .ifPresent(text -> lines.addAll(wrap("metrics of rank 0: " + text, width)));
        return lines;
    }

    private static Optional<WorkerStatus> first(StatusReply run) {
        return run.getNodesList().stream()
                .flatMap(node -> node.getWorkersList().stream())
                .filter(worker -> worker.getRank() == 0)
                .findFirst();
    }

    /** What is used of the budget, and when some of it is free again. */
    private static String restarts(StatusReply run) {
        boolean hasWindow = run.getRestartWindowMillis() > 0;
        return GAP + "restarts " + run.getBudgetUsed() + " of " + run.getMaxRestarts() + " used"
                + (hasWindow ? " within " + Durations.exact(run.getRestartWindowMillis()) : "")
                + (hasWindow && run.getRestartReturnsMillis() >= 0
                        ? ", the next comes back in " + Durations.text(run.getRestartReturnsMillis())
                        : "");
    }

    // Shown where it matters: plain text never leaves a machine if all addresses are of its loopback.
    private static String encryption(StatusReply run) {
        boolean isPlain = run.getTls().equals("off");
        boolean isLocal = run.getNodesList().stream()
                .map(NodeStatus::getAddress)
                .allMatch(address -> address.startsWith("127.") || address.equals("::1"));
        return (isPlain && isLocal) || run.getTls().isEmpty() ? "" : "  encryption " + (isPlain ? "off" : "on");
    }

    /** The newest that any worker has, or that the round knows of. */
    static long version(StatusReply run) {
        return run.getNodesList().stream()
                .flatMap(node -> node.getWorkersList().stream())
                .mapToLong(WorkerStatus::getVersion)
                .reduce(run.getVersion(), Math::max);
    }

    private static String age(StatusReply run) {
        return run.getRoundAgeMillis() < 0 ? "" : " for " + Durations.text(run.getRoundAgeMillis());
    }

    /** One line per run, for a command that names none. */
    public static String runs(List<LocalRuns.LocalRun> agents) {
        StringBuilder text = new StringBuilder("several runs have agents here; choose one with --run-id:");
        text.append(System.lineSeparator());
        Map<String, List<String>> nodes = new TreeMap<>();
        agents.forEach(agent -> nodes.computeIfAbsent(agent.file().run(), run -> new ArrayList<>())
                .add(agent.file().node()));
        nodes.forEach((run, names) -> text.append(GAP)
                .append(run)
                .append(names.size() == 1 ? "  node " : "  nodes ")
                .append(names.stream().sorted().collect(Collectors.joining(", ")))
                .append(System.lineSeparator()));
        return text.toString();
    }

    private static List<List<String>> nodes(StatusReply run) {
        List<List<String>> rows = new ArrayList<>(List.of(NodeRow.HEADINGS));
        run.getNodesList()
                .forEach(node -> rows.add(NodeRow.cells(node, node.getNodeId().equals(run.getCoordinator()))));
        return rows;
    }

    /** Workers with a rank first, in its order. */
    private static List<List<String>> workers(StatusReply run) {
        record Row(int rank, List<String> cells) {}
        List<Row> rows = new ArrayList<>();
        for (NodeStatus node : run.getNodesList()) {
            for (WorkerStatus worker : node.getWorkersList()) {
                int rank = worker.getRank() < 0 ? Integer.MAX_VALUE : worker.getRank();
                rows.add(new Row(rank, WorkerRow.cells(worker, node.getNodeId())));
            }
        }
        List<List<String>> cells = new ArrayList<>(List.of(WorkerRow.HEADINGS));
        rows.stream().sorted(Comparator.comparingInt(Row::rank)).map(Row::cells).forEach(cells::add);
        return cells;
    }

    /** Between words; what is continued is indented. */
    private static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String line = "";
        for (String word : text.split(" ", -1)) {
            if (width >= 2 && !line.isBlank() && line.length() + 1 + word.length() > width) {
                lines.add(line);
                line = GAP + word;
            } else {
                line = line.isEmpty() ? word : line + " " + word;
            }
        }
        lines.add(line);
        return lines;
    }

    private static String cut(String line, int width) {
        return width < 2 || line.length() <= width ? line : line.substring(0, width - 1) + "~";
    }
}
