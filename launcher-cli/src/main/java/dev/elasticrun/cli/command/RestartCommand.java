/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.RestartWorkers;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** {@code elastic-run restart}: all workers are started afresh, once. */
final class RestartCommand {
    private static final String SYNOPSIS = "restart [--run-id NAME] [--yes] [--timeout TIME] [--no-wait] [--json]";

    static final Subcommand COMMAND = new Subcommand("restart", SYNOPSIS, RestartCommand::model, RestartCommand::run);

    private RestartCommand() {}

    private static CommandLine model() {
        List<OptionSpec> options = SteeringCommand.options();
        return CommandModel.subcommand(
                "restart",
                SYNOPSIS,
                "Stops all workers of a run and starts them afresh, once, under every restart"
                        + " policy, in a new round. No restart is used up. What workers have committed to"
                        + " checkpoints is kept.",
                options.toArray(OptionSpec[]::new));
    }

    private static int run(Invocation call) {
        return SteeringCommand.run(
                call,
                status -> new SteeringCommand.Wish(
                        Forecast.restart(status),
                        CommandRequest.newBuilder()
                                .setRestart(RestartWorkers.getDefaultInstance())
                                .build()));
    }
}
