/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.ExitCode;
import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import io.grpc.StatusRuntimeException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** {@code elastic-run logs}: what the workers of all nodes wrote, from their agents. */
final class LogsCommand {
    static final String NAME = "logs";
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private LogsCommand() {}

    /** A node whose logs are wanted. */
    private record Wanted(NodeStatus node, List<Integer> slots) {}

    /** @return what the process is to exit with */
    static int run(List<String> arguments, PrintStream out, PrintStream err) {
        ParseResult parsed = CommandModel.parse(CommandModel.logs(), arguments);
        if (parsed.hasMatchedOption("--help")) {
            out.print(HelpPage.LOGS.text());
            return ExitCode.SUCCEEDED.code();
        }
        Optional<String> runId = Optional.ofNullable(parsed.matchedOptionValue("--run-id", (String) null));
        Optional<Integer> rank = Optional.ofNullable(parsed.matchedOptionValue("--rank", (String) null))
                .map(LogsCommand::rank);
        List<LocalRuns.LocalRun> agents = runId.map(LocalRuns::find).orElseGet(LocalRuns::find);
        List<String> runs = agents.stream()
                .map(agent -> agent.file().run())
                .distinct()
                .sorted()
                .toList();
        if (runs.size() != 1) {
            throw UsageException.of(
                    "--run-id",
                    runId.orElse("not given"),
                    runs.isEmpty() ? whereElse(runId, LocalRuns.logDirectory()) : "one of " + String.join(", ", runs));
        }
        Optional<StatusReply> status = status(agents, err);
        return status.isEmpty()
                ? ExitCode.WORKER_FAILURE.code()
                : show(
                        wanted(status.get(), rank),
                        agents.get(0).key(),
                        parsed.hasMatchedOption("--follow"),
                        new LogPrinter(status.get(), out, err),
                        err);
    }

    /** What can be done when no agent of the run is here: its files stay. */
    static String whereElse(Optional<String> runId, Path logDirectory) {
        Optional<Path> files = runId.map(logDirectory::resolve)
                .filter(path -> path.startsWith(logDirectory) && Files.isDirectory(path));
        return "a run that has an agent of yours on this host; "
                + files.map(path -> "its files on this host are in " + path)
                        .orElse("files stay below --log-dir, by default " + logDirectory + "/RUN/NODE");
    }

    private static int rank(String text) {
        try {
            return FlagValues.number(text, "a rank");
        } catch (IllegalArgumentException e) {
            throw UsageException.of("--rank", text, String.valueOf(e.getMessage()));
        }
    }

    private static Optional<StatusReply> status(List<LocalRuns.LocalRun> agents, PrintStream err) {
        for (LocalRuns.LocalRun agent : agents) {
            try (ControlClient client = new ControlClient(agent, DEADLINE)) {
                return Optional.of(client.status());
            } catch (StatusRuntimeException e) {
                err.println("elastic-run: node " + agent.file().node() + " did not answer: " + e.getStatus());
            }
        }
        return Optional.empty();
    }

    private static List<Wanted> wanted(StatusReply status, Optional<Integer> rank) {
        List<Wanted> wanted = new ArrayList<>();
        for (NodeStatus node : status.getNodesList()) {
            List<Integer> slots = node.getWorkersList().stream()
                    .filter(worker -> rank.isPresent() && rank.get() == worker.getRank())
                    .map(WorkerStatus::getSlot)
                    .toList();
            if (rank.isEmpty() || !slots.isEmpty()) {
                wanted.add(new Wanted(node, slots));
            }
        }
        if (wanted.isEmpty()) {
            throw UsageException.of(
                    "--rank", rank.map(String::valueOf).orElse("none"), "a rank below " + status.getWorldSize());
        }
        return wanted;
    }

    private static int show(List<Wanted> wanted, byte[] key, boolean follow, LogPrinter printer, PrintStream err) {
        List<ControlClient> clients = new ArrayList<>();
        List<LogPrinter.Stream> streams = new ArrayList<>();
        int code = ExitCode.SUCCEEDED.code();
        try {
            for (Wanted node : wanted) {
                ControlClient client = new ControlClient(
                        node.node().getAddress() + ":" + node.node().getControlPort(), key, DEADLINE);
                clients.add(client);
                try {
                    LogPrinter.Stream stream = printer.stream(node.node().getNodeId());
                    client.logs(node.slots(), follow, stream);
                    streams.add(stream);
                } catch (StatusRuntimeException e) {
                    err.println("elastic-run: node " + node.node().getNodeId() + " did not answer: " + e.getStatus());
                    code = ExitCode.WORKER_FAILURE.code();
                }
            }
            for (LogPrinter.Stream stream : streams) {
                Optional<String> failure = stream.await(follow);
                failure.ifPresent(text -> err.println("elastic-run: " + text));
                code = failure.isPresent() ? ExitCode.WORKER_FAILURE.code() : code;
            }
        } finally {
            clients.forEach(ControlClient::close);
        }
        return code;
    }
}
