/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.proto.CommandRequest;
import dev.elasticrun.proto.StopRun;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** {@code elastic-run stop}: the run ends. */
final class StopCommand {
    private static final String SYNOPSIS = "stop [--run-id NAME] [--yes] [--timeout TIME] [--no-wait] [--json]";

    static final Subcommand COMMAND = new Subcommand("stop", SYNOPSIS, StopCommand::model, StopCommand::run);

    private StopCommand() {}

    private static CommandLine model() {
        List<OptionSpec> options = SteeringCommand.options();
        return CommandModel.subcommand(
                "stop",
                SYNOPSIS,
                "Ends a run on all nodes in good order: workers get TERM and their time to stop,"
                        + " and every agent ends with exit code 143.",
                options.toArray(OptionSpec[]::new));
    }

    private static int run(Invocation call) {
        return SteeringCommand.run(
                call,
                status -> new SteeringCommand.Wish(
                        Forecast.stop(status),
                        CommandRequest.newBuilder()
                                .setStop(StopRun.getDefaultInstance())
                                .build()));
    }
}
