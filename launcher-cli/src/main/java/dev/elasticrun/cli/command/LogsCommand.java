/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.scheduler.JobAddress;
import dev.elasticrun.proto.LogsRequest;
import dev.elasticrun.proto.NodeStatus;
import dev.elasticrun.proto.StatusReply;
import dev.elasticrun.proto.WorkerStatus;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** {@code elastic-run logs}: what the workers of all nodes wrote, from their agents. */
final class LogsCommand {
    private static final String SYNOPSIS =
            "logs [SCHEME://ID] [--run-id NAME] [--rank R] [--follow] [--raw] [--log-dir DIR]";

    static final Subcommand COMMAND = new Subcommand("logs", SYNOPSIS, LogsCommand::model, LogsCommand::run);

    private LogsCommand() {}

    private record Wanted(NodeStatus node, List<Integer> slots) {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "logs",
                SYNOPSIS,
                "Shows what the workers of all nodes of a run wrote, rotated parts first, from their agents;"
                        + " one of them is yours, and on this host.",
                SubmittedJobs.ADDRESS,
                SubmittedJobs.HELP,
                List.of(
                        CommandModel.valueOption(
                                "--rank",
                                "R",
                                "Only the worker that has this rank now, with its earlier attempts. Default: all."),
                        CommandModel.switchOption(
                                "Go on with what is written from now on, until the run ends.", "-f", "--follow"),
                        CommandModel.switchOption(
                                "Print control characters as they are. Default: colours only, all others are made"
                                        + " visible.",
                                "--raw"),
                        CommandModel.valueOption(RunEvents.LOG_DIR, "DIR", RunEvents.LOG_DIR_HELP)));
    }

    private static int run(Invocation call) {
        Optional<JobAddress> job = SubmittedJobs.address(call);
        if (job.isPresent()) {
            return SubmittedJobs.logs(call, job.get());
        }
        Optional<Integer> rank = call.value("--rank").map(LogsCommand::rank);
        Optional<EndedLogs> ended = EndedLogs.of(call);
        if (ended.isPresent()) {
            if (rank.isPresent()) {
                throw UsageException.of(
                        "--rank", Integer.toString(rank.get()), "none: ranks of a run that has ended are not known");
            }
            ended.get().show(call.has("--raw"), call.out(), call.err());
            return ExitCode.SUCCEEDED.code();
        }
        try (RunContact contact = RunContact.of(call)) {
            StatusReply status = contact.status();
            return show(
                    wanted(status, rank),
                    contact,
                    call.has("--follow"),
                    new LogPrinter(status, call.has("--raw"), call.out(), call.err()),
                    call.err());
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        }
    }

    private static int rank(String text) {
        try {
            return SettingTexts.number(text, "a rank");
        } catch (IllegalArgumentException e) {
            throw UsageException.of("--rank", text, String.valueOf(e.getMessage()));
        }
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

    private static int show(
            List<Wanted> wanted, RunContact contact, boolean follow, LogPrinter printer, PrintStream err) {
        List<ControlClient> clients = new ArrayList<>();
        List<LogPrinter.Stream> streams = new ArrayList<>();
        int code = ExitCode.SUCCEEDED.code();
        try {
            for (Wanted node : wanted) {
                ControlClient client = new ControlClient(
                        node.node().getAddress() + ":" + node.node().getControlPort(),
                        node.node().getNodeId(),
                        contact.key(),
                        contact.tls());
                clients.add(client);
                LogPrinter.Stream stream = printer.stream(node.node().getNodeId());
                client.async()
                        .logs(
                                LogsRequest.newBuilder()
                                        .addAllSlots(node.slots())
                                        .setFollow(follow)
                                        .build(),
                                stream);
                streams.add(stream);
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
