/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunContact;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.client.RunFinder;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.RemoteFlags;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.runs.HostRuns;
import dev.elasticrun.cli.runs.RunListJson;
import dev.elasticrun.cli.runs.RunListText;
import dev.elasticrun.cli.runs.RunSummary;
import dev.elasticrun.cli.scheduler.JobAddress;
import dev.elasticrun.cli.view.StatusJson;
import dev.elasticrun.cli.view.StatusView;
import dev.elasticrun.proto.StatusReply;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine;

/** {@code elastic-run status}: asks an agent about the whole run, once or again and again. */
public final class StatusCommand {
    private static final String SYNOPSIS =
            "status [SCHEME://ID] [--run-id NAME] [--json] [--watch [SECONDS]] [--log-dir DIR]";

    public static final Subcommand COMMAND =
            new Subcommand("status", SYNOPSIS, StatusCommand::model, StatusCommand::run);

    private StatusCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "status",
                SYNOPSIS,
                "Asks an agent of yours on this host about the whole run: its round, its nodes, and what each worker does.",
                SubmittedJobs.ADDRESS,
                SubmittedJobs.HELP,
                List.of(
                        CommandModel.switchOption("Print JSON.", "--json"),
                        CommandModel.optionalValueOption(
                                "--watch",
                                "SECONDS",
                                "2",
                                "Show it again every so many seconds, in place on a terminal, until the run ends."
                                        + " Default: 2."),
                        CommandModel.valueOption(
                                RunEvents.LOG_DIR,
                                "DIR",
                                "Show a run that has ended, by its files below DIR. Default: the variable"
                                        + " ELASTICRUN_LOG_DIR, else where agents keep logs.")));
    }

    private static int run(Invocation call) {
        Optional<JobAddress> job = SubmittedJobs.address(call);
        if (job.isPresent()) {
            return SubmittedJobs.status(call, job.get());
        }
        boolean json = call.has("--json");
        Optional<Duration> every = call.value("--watch").map(StatusCommand::seconds);
        if (!RemoteFlags.areGiven(call) && call.value("--run-id").isEmpty()) {
            List<LocalRuns.LocalRun> agents = LocalRuns.find();
            if (RunFinder.names(agents).size() > 1) {
                call.out().print(json ? StatusJson.runs(agents) : StatusView.runs(agents));
                return ExitCode.SUCCEEDED.code();
            }
        }
        Screen screen = new Screen(call.out(), call.environment());
        Function<StatusReply, String> text =
                reply -> json ? StatusJson.of(reply) : StatusView.render(reply, screen.width());
        Optional<Path> files = EndedLogs.of(call).map(EndedLogs::run);
        if (files.isPresent()) {
            RunSummary ended = HostRuns.ended(files.get());
            return Invocation.print(
                    json ? RunListJson.list(List.of(ended)) : RunListText.ended(ended, ZoneId.systemDefault()),
                    call.out());
        }
        try (RunContact contact = RunContact.of(call)) {
            if (every.isEmpty()) {
                call.out().print(text.apply(contact.status()));
            } else {
                watch(contact, every.get(), reply -> screen.show(text.apply(reply)), call);
            }
            return ExitCode.SUCCEEDED.code();
        } catch (RunContact.SilentException e) {
            return e.printed(call);
        }
    }

    // Ends when no agent answers any more, or the output has no reader any more.
    private static void watch(RunContact contact, Duration every, Consumer<StatusReply> show, Invocation call) {
        StatusReply last = contact.status();
        try {
            while (!Thread.currentThread().isInterrupted()) {
                show.accept(last);
                if (call.out().checkError()) {
                    return;
                }
                LockSupport.parkNanos(every.toNanos());
                last = contact.status();
            }
        } catch (RunContact.SilentException ended) {
            call.out().println("run " + last.getRunId() + " has ended: no agent of it answers any more");
        }
    }

    private static Duration seconds(String text) {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0.1 && seconds <= 86_400) {
                return Duration.ofMillis(Math.round(seconds * 1000));
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw UsageException.of("--watch", text, "seconds from 0.1 to 86400");
    }
}
