/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.RemoteRuns;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.RemoteFlags;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.runs.HostRuns;
import dev.elasticrun.cli.runs.RunListJson;
import dev.elasticrun.cli.runs.RunListText;
import dev.elasticrun.cli.runs.RunSummary;
import dev.elasticrun.cli.runs.StoreRuns;
import dev.elasticrun.cli.scheduler.JobAddress;
import dev.elasticrun.cli.scheduler.Schedulers;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code elastic-run list}: the runs of this host or of a store, or the jobs that a scheduler has of the caller. */
final class ListCommand {
    private static final String ALL = "--all";
    private static final String ARGUMENT = "SCHEME://";
    private static final String SYNOPSIS = "list [SCHEME://] [--all] [--json]";

    static final Subcommand COMMAND = new Subcommand("list", SYNOPSIS, ListCommand::model, ListCommand::run);

    private ListCommand() {}

    private static CommandLine model() {
        CommandSpec spec = CommandSpec.create().name("elastic-run list");
        spec.addPositional(
                CommandModel.argument("0", ARGUMENT, "Jobs of a scheduler, such as slurm://, that have not ended."));
        spec.addOption(CommandModel.switchOption("Runs that have ended and have files here as well.", ALL));
        spec.addOption(CommandModel.valueOption(
                RunEvents.LOG_DIR,
                "DIR",
                "Where those files are. Default: the variable ELASTICRUN_LOG_DIR, else where agents keep logs."));
        spec.addOption(CommandModel.switchOption("Print JSON.", "--json"));
        spec.addOption(CommandModel.switchOption(CommandModel.HELP, "-h", "--help"));
        spec.usageMessage()
                .customSynopsis("elastic-run " + SYNOPSIS)
                .description(
                        "Lists runs that have an agent of yours on this host, the newest first; with --rdzv-endpoint"
                                + " those of a store; with a scheduler your jobs there.")
                .parameterListHeading("%n")
                .optionListHeading("");
        spec.addArgGroup(CommandModel.remoteFlags("%nOf a store:%n"));
        return CommandModel.line(spec).setStopAtPositional(false);
    }

    private static int run(Invocation call) {
        Optional<String> argument = call.argument();
        if (argument.isPresent()) {
            JobAddress scheduler = JobAddress.parse(argument.get())
                    .filter(address -> address.id().isEmpty())
                    .orElseThrow(() -> UsageException.of(
                            ARGUMENT,
                            argument.get(),
                            "nothing, or the name of a scheduler and ://; one of " + Schedulers.names()));
            return SubmittedJobs.list(call, scheduler);
        }
        Optional<RemoteRuns.Wanted> store = RemoteFlags.store(call);
        List<RunSummary> runs = store.isPresent()
                ? inStore(store.get())
                : call.has(ALL) ? HostRuns.all(RunEvents.logDirectory(call)) : HostRuns.live();
        if (call.has("--json")) {
            return Invocation.print(RunListJson.list(runs), call.out());
        } else if (runs.isEmpty()) {
            call.err().println("elastic-run: " + none(call, store.isPresent()));
            return ExitCode.SUCCEEDED.code();
        }
        return Invocation.print(RunListText.list(runs, Instant.now(), ZoneId.systemDefault()), call.out());
    }

    private static String none(Invocation call, boolean isStore) {
        if (isStore) {
            return "the store has no run";
        }
        String here = "no run has an agent of yours on this host";
        return call.has(ALL)
                ? here + ", or files below " + RunEvents.logDirectory(call)
                : here + "; --all lists those that have ended";
    }

    private static List<RunSummary> inStore(RemoteRuns.Wanted store) {
        try {
            return StoreRuns.of(store);
        } catch (LaunchConfigException e) {
            throw new UsageException(String.valueOf(e.getMessage()).lines().toList());
        }
    }
}
