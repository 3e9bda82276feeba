/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.SubmittedLine;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.scheduler.JobAddress;
import dev.elasticrun.cli.scheduler.JobName;
import dev.elasticrun.cli.scheduler.SchedulerArguments;
import dev.elasticrun.cli.scheduler.Schedulers;
import dev.elasticrun.scheduler.JobOption;
import dev.elasticrun.scheduler.JobSpec;
import dev.elasticrun.scheduler.SchedulerProvider;
import dev.elasticrun.scheduler.SubmittedJob;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** {@code elastic-run submit}: a scheduler starts the agents of a launch line. */
final class SubmitCommand {
    private static final String SCHEDULER = "--scheduler";
    private static final String DRY_RUN = "--dry-run";
    private static final String SYNOPSIS = "submit --scheduler NAME [--dry-run] [--job-name NAME]"
            + " [--scheduler-args NAME=VALUE,...] [OPTIONS] [--] PROGRAM [ARGS...]";
    private static final int HELP_WIDTH = 90;

    static final Subcommand COMMAND = new Subcommand("submit", SYNOPSIS, SubmitCommand::model, SubmitCommand::run);

    private SubmitCommand() {}

    private static CommandLine model() {
        return CommandModel.submit(
                "submit",
                SYNOPSIS,
                "Has a scheduler start an agent on each node, with the flags of a launch: --nnodes MIN:MAX sets how"
                        + " few and how many nodes. All is checked before anything is submitted but what only the"
                        + " nodes have, as PROGRAM. Prints the job as SCHEME://ID, for status, logs, scale and cancel.",
                schedulers(),
                CommandModel.valueOption(
                        SCHEDULER,
                        "NAME",
                        "The scheduler: one of those below, kubernetes (docs/kubernetes.md), or another in the class path."),
                CommandModel.switchOption("Print what would be submitted, and submit nothing.", DRY_RUN),
                CommandModel.valueOption(JobName.FLAG, "NAME", "Name of the job. Default: that of the program."),
                OptionSpec.builder(SchedulerArguments.FLAG)
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel("NAME=VALUE,...")
                        .description(
                                "Options of the scheduler, see below; may be given several times. A comma of a value is"
                                        + " written twice.")
                        .build());
    }

    /** What each scheduler can be given. */
    private static List<String> schedulers() {
        List<String> lines = new ArrayList<>();
        for (SchedulerProvider provider : Schedulers.all()) {
            lines.addAll(List.of("", SCHEDULER + " " + provider.name() + ", " + SchedulerArguments.FLAG + ":"));
            for (JobOption option : provider.options()) {
                lines.add("  " + option.name() + "=" + option.label());
                wrapped(option.help()).forEach(line -> lines.add("      " + line));
            }
        }
        return lines;
    }

    private static List<String> wrapped(String text) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > HELP_WIDTH) {
            int end = rest.lastIndexOf(' ', HELP_WIDTH);
            lines.add(rest.substring(0, end));
            rest = rest.substring(end + 1);
        }
        lines.add(rest);
        return lines;
    }

    private static int run(Invocation call) {
        SchedulerProvider provider = Schedulers.named(
                call.value(SCHEDULER)
                        .orElseThrow(() -> UsageException.of(SCHEDULER, "not given", "one of " + Schedulers.names())),
                SCHEDULER);
        SubmittedLine line = line(call);
        String name = call.value(JobName.FLAG)
                .map(JobName::checked)
                .orElseGet(() -> JobName.ofProgram(line.command().get(0)));
        JobSpec job = new JobSpec(
                name,
                line.nodes().min(),
                line.nodes().max(),
                line.workersPerNode(),
                line.flags(),
                line.command(),
                SchedulerArguments.parse(call.values(SchedulerArguments.FLAG), provider),
                Path.of("").toAbsolutePath());
        line.noEffect().forEach(remark -> call.err().println("elastic-run: " + remark));
        return SubmittedJobs.with(call, provider.open(call.environment()), scheduler -> {
            if (call.has(DRY_RUN)) {
                Invocation.print(scheduler.render(job), call.out());
                return;
            }
            SubmittedJob submitted = scheduler.submit(job);
            submitted.remarks().forEach(remark -> call.err().println("elastic-run: " + remark));
            Invocation.print(new JobAddress(provider.name(), submitted.id()) + "\n", call.out());
        });
    }

    /** The launch line of a command that has others start its agents. */
    static SubmittedLine line(Invocation call) {
        List<String> words = call.arguments().matchedPositionalValue(0, List.<String>of());
        if (!words.isEmpty() && words.get(0).startsWith("-")) {
            throw UsageException.of("PROGRAM", words.get(0), "flags before --, and the program behind it");
        }
        return LaunchOptions.submitted(call.arguments(), call.environment());
    }
}
