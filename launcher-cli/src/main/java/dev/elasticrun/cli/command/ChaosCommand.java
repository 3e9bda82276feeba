/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.chaos.Chaos;
import dev.elasticrun.cli.chaos.ChaosOptions;
import dev.elasticrun.cli.chaos.ChaosValues;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** {@code elastic-run chaos}: a program on local agents under faults, and what they cost. */
final class ChaosCommand {
    private static final String SYNOPSIS =
            "chaos [--faults KIND=WEIGHT,...] [--every TIME] [--for TIME] [--compare COMMAND] ... -- LINE";
    private static final int SEED_BOUND = 1_000_000;

    static final Subcommand COMMAND = new Subcommand("chaos", SYNOPSIS, ChaosCommand::model, ChaosCommand::run);

    private ChaosCommand() {}

    private static CommandLine model() {
        CommandSpec spec = CommandSpec.create().name("elastic-run chaos");
        List.of(
                        CommandModel.valueOption(
                                ChaosValues.FAULTS,
                                "KIND=WEIGHT,...",
                                "How frequent each kind of fault is, relative to the others: worker (SIGKILL of a"
                                        + " worker), hang (SIGSTOP of a worker), node (SIGKILL of an agent with its"
                                        + " workers), coordinator (the same of the coordinator), partition (with --net"
                                        + " partition=TIME). Default: "
                                        + ChaosValues.DEFAULT_FAULTS + "."),
                        CommandModel.valueOption(
                                ChaosValues.EVERY,
                                "TIME",
                                "Mean time between two faults; each is between a half and one and a half of it."
                                        + " Default: " + ChaosValues.DEFAULT_EVERY + "."),
                        CommandModel.valueOption(
                                ChaosValues.FOR,
                                "TIME",
                                "Length of the storm, which also ends with the program. Default: "
                                        + ChaosValues.DEFAULT_FOR + "."),
                        CommandModel.valueOption(
                                ChaosValues.SEED,
                                "N",
                                "The same seed gives the same schedule of faults. Default: random, and in the report."),
                        CommandModel.valueOption(
                                ChaosValues.CALM,
                                "TIME",
                                "Time without faults before the storm, at least 2s; its second half shows what a step"
                                        + " takes, if that is not longer than in the storm, long after a fault. Not"
                                        + " with --compare, whose calm run shows that. Default: "
                                        + ChaosValues.DEFAULT_CALM + "."),
                        CommandModel.valueOption(
                                ChaosValues.AGENTS,
                                "N",
                                "How many agents are started. Default: the maximum of --nnodes of the line."),
                        CommandModel.valueOption(
                                ChaosValues.REPLACE_AFTER,
                                "TIME",
                                "Time between the death of an agent and the start of another one. Default: 0s."),
                        CommandModel.valueOption(
                                ChaosValues.COMPARE,
                                "COMMAND",
                                "Run the program to its end without faults, and again in the storm, and compare what"
                                        + " this shell command prints after each."),
                        CommandModel.valueOption(
                                ChaosValues.MIN_GOODPUT,
                                "SHARE",
                                "Exit with 1 if goodput is below this share, such as 0.8."),
                        CommandModel.valueOption(
                                ChaosValues.FORECAST,
                                "mtbf=TIME,nodes=N",
                                "Forecast goodput of so many nodes that each fail once in that time. Default: a table."),
                        CommandModel.valueOption(
                                ChaosValues.NET,
                                "KIND=AMOUNT,...",
                                "Network faults, which give each agent a host of its own, made of network namespaces:"
                                        + " loss=P%% of the packets that arrive at a host, delay=TIME of each that leaves"
                                        + " one, both throughout the storm; partition=TIME cuts one agent off that long,"
                                        + " as one more kind of fault (partition="
                                        + ChaosValues.PARTITION_WEIGHT
                                        + "). What this machine cannot do is left out, and the report has the reason."),
                        CommandModel.valueOption(
                                ChaosValues.OUTPUT,
                                "DIR",
                                "Where reports, output of agents and logs go; empty or to be made. Default: a fresh"
                                        + " directory in $TMPDIR or /tmp."),
                        CommandModel.switchOption(CommandModel.HELP, "-h", "--help"))
                .forEach(spec::addOption);
        spec.addPositional(PositionalParamSpec.builder()
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("LINE")
                .hideParamSyntax(true)
                .description("The command line of one node, without elastic-run: flags, the program, its arguments.")
                .build());
        spec.usageMessage()
                .customSynopsis("elastic-run " + SYNOPSIS)
                .description("Runs a program on local agents while a seeded schedule of faults kills and stops workers"
                        + " and agents, and reports goodput, recovery times, work done twice and lost, and whether the"
                        + " result is the same. Exits with 1 if the result differs, a bound is missed or the run"
                        + " failed.")
                .optionListHeading("%n");
        return CommandModel.line(spec);
    }

    private static int run(Invocation call) {
        List<String> violations = new ArrayList<>();
        ChaosOptions options = ChaosValues.parse(call::value, () -> new SecureRandom().nextInt(SEED_BOUND), violations);
        List<String> line = call.arguments().matchedPositionalValue(0, List.of());
        return Chaos.run(
                options, violations, line, call.arguments().originalArgs(), call.environment(), call.out(), call.err());
    }
}
