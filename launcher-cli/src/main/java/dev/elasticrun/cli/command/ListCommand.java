/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.scheduler.JobAddress;
import dev.elasticrun.cli.scheduler.Schedulers;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code elastic-run list}: the jobs that a scheduler has of the caller. */
final class ListCommand {
    private static final String ARGUMENT = "SCHEME://";
    private static final String SYNOPSIS = "list SCHEME:// [--json]";

    static final Subcommand COMMAND = new Subcommand("list", SYNOPSIS, ListCommand::model, ListCommand::run);

    private ListCommand() {}

    private static CommandLine model() {
        CommandSpec spec = CommandSpec.create().name("elastic-run list");
        spec.addPositional(CommandModel.argument("0", ARGUMENT, "The scheduler, such as slurm://."));
        spec.addOption(CommandModel.switchOption("Print JSON.", "--json"));
        spec.addOption(CommandModel.switchOption(CommandModel.HELP, "-h", "--help"));
        spec.usageMessage()
                .customSynopsis("elastic-run " + SYNOPSIS)
                .description(
                        "Lists your jobs on a scheduler that elastic-run submitted and that have not ended, the newest"
                                + " first.")
                .parameterListHeading("%n")
                .optionListHeading("");
        return CommandModel.line(spec).setStopAtPositional(false);
    }

    private static int run(Invocation call) {
        String text = call.argument().orElse("not given");
        JobAddress scheduler = JobAddress.parse(text)
                .filter(address -> address.id().isEmpty())
                .orElseThrow(() -> UsageException.of(
                        ARGUMENT, text, "the name of a scheduler and ://; one of " + Schedulers.names()));
        return SubmittedJobs.list(call, scheduler);
    }
}
