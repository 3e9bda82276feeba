/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.tune.PoolMember;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** {@code elastic-run agent}: an agent of a pool, for the trials of studies. */
final class AgentCommand {
    private static final String SYNOPSIS = "agent --pool NAME --rdzv-endpoint HOST:PORT --run-key-file FILE [OPTIONS]";

    static final Subcommand COMMAND = new Subcommand("agent", SYNOPSIS, AgentCommand::model, AgentCommand::run);

    private AgentCommand() {}

    private static CommandLine model() {
        return CommandModel.examination(
                "agent",
                SYNOPSIS,
                "Starts an agent that works for the trials of studies, one after the other, until a signal ends it. Takes"
                        + " the flags of a launch, which count where the study has none. It runs only what is proved with"
                        + " the key of the pool.",
                List.of(
                        Settings.RDZV_ENDPOINT,
                        Settings.RDZV_BACKEND,
                        Settings.RUN_KEY_FILE,
                        Settings.LOCAL_ADDR,
                        Settings.LOG_DIR),
                CommandModel.valueOption(TuneCommand.POOL, "NAME", "The pool, as elastic-run tune --pool has it."));
    }

    private static int run(Invocation call) {
        String pool = call.value(TuneCommand.POOL)
                .orElseThrow(() -> UsageException.of(TuneCommand.POOL, "missing", "the name of a pool"));
        LaunchConfig launch = LaunchOptions.examined(call.arguments(), call.environment(), new ArrayList<>());
        ControlClient.prepare();
        return PoolMember.run(launch, pool, call.environment());
    }
}
