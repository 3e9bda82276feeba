/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.NodeRange;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.scheduler.JobAddress;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.ScaleRun;
import java.util.Optional;
import picocli.CommandLine;

/** {@code elastic-run scale}: another minimum and maximum of nodes. */
final class ScaleCommand {
    private static final String NODES = "NODES";
    private static final String COUNT = "a number of nodes, 1 or more";
    private static final String SYNOPSIS = "scale MIN:MAX|SCHEME://ID NODES [--run-id NAME] [--force] [--yes]"
            + " [--timeout TIME] [--no-wait] [--json]";

    static final Subcommand COMMAND = new Subcommand("scale", SYNOPSIS, ScaleCommand::model, ScaleCommand::run);

    private ScaleCommand() {}

    private static CommandLine model() {
        CommandLine line = CommandModel.subcommand(
                "scale",
                SYNOPSIS,
                "Changes how few and how many nodes a run may have. Nodes that stand by join while there is room; of more"
                        + " nodes than the maximum, those that joined last stand by. Agents that join later may give"
                        + " the numbers with which the run was started, or these.",
                "MIN:MAX",
                "The numbers of nodes, with 1 <= MIN <= MAX; N is N:N. Or " + SubmittedJobs.ADDRESS
                        + ", a job of a scheduler, and NODES.",
                SteeringCommand.options(SteeringCommand.force()));
        line.getCommandSpec()
                .addPositional(CommandModel.argument(
                        "1",
                        NODES,
                        "Of a job: how many nodes it has from now on, within those that it was submitted with."));
        return line;
    }

    private static int run(Invocation call) {
        Optional<JobAddress> job = call.argument().flatMap(JobAddress::parse);
        if (job.isPresent()) {
            return SubmittedJobs.scale(call, job.get(), count(call.argument(1).orElse("not given")));
        }
        call.argument(1).ifPresent(more -> {
            throw UsageException.of(
                    "argument", more, "one argument, MIN:MAX; or " + SubmittedJobs.ADDRESS + " " + NODES);
        });
        NodeRange nodes = nodes(call.argument().orElse("not given"));
        return SteeringCommand.run(
                call,
                status -> new SteeringCommand.Wish(
                        Forecast.scale(status, nodes.min(), nodes.max()),
                        CommandRequest.newBuilder()
                                .setScale(ScaleRun.newBuilder()
                                        .setMinNodes(nodes.min())
                                        .setMaxNodes(nodes.max()))
                                .build()));
    }

    private static int count(String text) {
        try {
            int count = SettingTexts.number(text, COUNT);
            if (count >= 1) {
                return count;
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw UsageException.of(NODES, text, COUNT);
    }

    private static NodeRange nodes(String text) {
        try {
            return SettingTexts.nodes(text);
        } catch (IllegalArgumentException e) {
            throw UsageException.of("MIN:MAX", text, String.valueOf(e.getMessage()));
        }
    }
}
