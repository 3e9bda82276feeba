/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.NodeRange;
import dev.elasticrun.agent.config.SettingTexts;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.ScaleRun;
import picocli.CommandLine;

/** {@code elastic-run scale}: another minimum and maximum of nodes. */
final class ScaleCommand {
    private static final String SYNOPSIS =
            "scale MIN:MAX [--run-id NAME] [--force] [--yes] [--timeout TIME] [--no-wait] [--json]";

    static final Subcommand COMMAND = new Subcommand("scale", SYNOPSIS, ScaleCommand::model, ScaleCommand::run);

    private ScaleCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "scale",
                SYNOPSIS,
                "Changes how few and how many nodes a run may have. Nodes that stand by join while there is room; of more"
                        + " nodes than the maximum, those that joined last stand by. Agents that join later may give"
                        + " the numbers with which the run was started, or these.",
                "MIN:MAX",
                "The numbers of nodes, with 1 <= MIN <= MAX; N is N:N.",
                SteeringCommand.options(SteeringCommand.force()));
    }

    private static int run(Invocation call) {
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

    private static NodeRange nodes(String text) {
        try {
            return SettingTexts.nodes(text);
        } catch (IllegalArgumentException e) {
            throw UsageException.of("MIN:MAX", text, String.valueOf(e.getMessage()));
        }
    }
}
