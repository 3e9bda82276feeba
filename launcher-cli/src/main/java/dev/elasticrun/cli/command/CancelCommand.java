/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.scheduler.JobAddress;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** {@code elastic-run cancel}: ends a job of a scheduler. */
final class CancelCommand {
    private static final String SYNOPSIS = "cancel SCHEME://ID";

    static final Subcommand COMMAND = new Subcommand("cancel", SYNOPSIS, CancelCommand::model, CancelCommand::run);

    private CancelCommand() {}

    private static CommandLine model() {
        CommandSpec spec = CommandSpec.create().name("elastic-run cancel");
        spec.addPositional(
                CommandModel.argument("0", SubmittedJobs.ADDRESS, "A job of a scheduler, such as slurm://42."));
        spec.addOption(CommandModel.switchOption(CommandModel.HELP, "-h", "--help"));
        spec.usageMessage()
                .customSynopsis("elastic-run " + SYNOPSIS)
                .description("Ends a job of a scheduler: its agents leave as on TERM, and none is started again.")
                .parameterListHeading("%n")
                .optionListHeading("");
        return CommandModel.line(spec).setStopAtPositional(false);
    }

    private static int run(Invocation call) {
        String text = call.argument().orElse("not given");
        JobAddress job = JobAddress.parse(text)
                .orElseThrow(() -> UsageException.of(
                        SubmittedJobs.ADDRESS, text, "a job of a scheduler, such as slurm://42; stop ends a run"));
        return SubmittedJobs.cancel(call, job);
    }
}
