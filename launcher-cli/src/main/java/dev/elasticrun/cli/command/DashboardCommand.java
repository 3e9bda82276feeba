/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.LocalRuns;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.client.RunEvents;
import dev.elasticrun.cli.client.RunFinder;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.Invocation;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;

/** {@code elastic-run dashboard}: prints where the page about a run is, or serves pages about ended ones. */
final class DashboardCommand {
    private static final String NAME = "dashboard";
    private static final String SYNOPSIS = NAME + " [--run-id NAME] [--no-key] | --serve DIR [--port [HOST:]PORT]";

    static final Subcommand COMMAND = new Subcommand(NAME, SYNOPSIS, DashboardCommand::model, DashboardCommand::run);

    private DashboardCommand() {}

    private static CommandLine model() {
        return CommandModel.localSubcommand(
                NAME,
                SYNOPSIS,
                "Prints the address of the page about the run that an agent of yours on this host serves, with the"
                        + " run's key behind '#': browsers keep that part to themselves, and whoever has it can do"
                        + " anything to the run. With --serve it serves pages about all runs below a log directory,"
                        + " from their files, until SIGINT or SIGTERM.",
                CommandModel.switchOption("Print the address without the key.", "--no-key"),
                CommandModel.valueOption(
                        ServedHistory.SERVE,
                        "DIR",
                        "Serve pages about all runs below this directory, also those that have ended: all runs, how each"
                                + " was at its end, and what its workers wrote. Whoever reaches the port can read them."),
                CommandModel.valueOption(
                        ServedHistory.PORT,
                        "[HOST:]PORT",
                        "With --serve: where; 0 is any free port, and without HOST only this machine reaches it."
                                + " Default: 0."));
    }

    private static int run(Invocation call) {
        if (ServedHistory.isWanted(call)) {
            return ServedHistory.run(call);
        }
        List<LocalRuns.LocalRun> agents =
                RunFinder.one(call.value("--run-id"), RunFinder.HERE, () -> RunEvents.logDirectory(call));
        Optional<String> address = DashboardAddress.of(agents, !call.has("--no-key"));
        address.ifPresentOrElse(call.out()::println, () -> call.err()
                .println("elastic-run: no agent of run "
                        + agents.get(0).file().run()
                        + " on this host serves a page (expected: one that was started with --dashboard-port)"));
        if (address.isPresent() && !call.has("--no-key") && !Screen.isTerminal()) {
            call.err()
                    .println("elastic-run: this address holds the run's key: whoever reads it there can do anything to"
                            + " the run (--no-key leaves it out)");
        }
        DashboardAddress.warning(agents).ifPresent(warning -> call.err().println("elastic-run: " + warning));
        return address.isPresent() ? ExitCode.SUCCEEDED.code() : ExitCode.WORKER_FAILURE.code();
    }
}
