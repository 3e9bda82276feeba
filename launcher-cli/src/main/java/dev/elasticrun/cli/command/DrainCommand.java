/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.DrainNode;
import dev.elasticrun.proto.NodeStatus;
import picocli.CommandLine;

/** {@code elastic-run drain}: a node leaves the run in good order. */
final class DrainCommand {
    private static final String SYNOPSIS =
            "drain NODE [--run-id NAME] [--force] [--yes] [--timeout TIME] [--no-wait] [--json]";

    static final Subcommand COMMAND = new Subcommand("drain", SYNOPSIS, DrainCommand::model, DrainCommand::run);

    private DrainCommand() {}

    private static CommandLine model() {
        return CommandModel.subcommand(
                "drain",
                SYNOPSIS,
                "Lets one node leave its run in order, as SIGTERM to its agent does: the others go on without it at once,"
                        + " then its workers are stopped, and its agent ends with exit code 143. Refused if the run would"
                        + " fall below its minimum of nodes.",
                "NODE",
                "The node's id, the start of it, or its host label, if that is one node only.",
                SteeringCommand.options(SteeringCommand.force()));
    }

    private static int run(Invocation call) {
        String typed = call.argument()
                .orElseThrow(() -> UsageException.of("NODE", "not given", "a node of the run; status lists them"));
        return SteeringCommand.run(call, status -> {
            NodeStatus node = Forecast.node(status, typed);
            return new SteeringCommand.Wish(
                    Forecast.drain(status, node),
                    CommandRequest.newBuilder()
                            .setDrain(DrainNode.newBuilder().setNode(node.getNodeId()))
                            .build());
        });
    }
}
