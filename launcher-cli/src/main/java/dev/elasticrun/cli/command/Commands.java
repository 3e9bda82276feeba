/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.cli.options.CommandModel;
import dev.elasticrun.cli.options.HelpPage;
import dev.elasticrun.cli.options.Invocation;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** The commands beside the launch; another one is another line here. */
public final class Commands {
    /** Those that ask agents, or have them act. */
    private static final List<Subcommand> OF_A_RUN = List.of(
            StatusCommand.COMMAND,
            LogsCommand.COMMAND,
            EventsCommand.COMMAND,
            ExplainCommand.COMMAND,
            ReplayCommand.COMMAND,
            DashboardCommand.COMMAND,
            DrainCommand.COMMAND,
            ScaleCommand.COMMAND,
            StopCommand.COMMAND,
            RestartCommand.COMMAND,
            DumpCommand.COMMAND,
            ProfileCommand.COMMAND,
            ChaosCommand.COMMAND);

    private static final List<Subcommand> OTHERS = List.of(
            TuneCommand.COMMAND,
            AgentCommand.COMMAND,
            DoctorCommand.COMMAND,
            SubmitCommand.COMMAND,
            ListCommand.COMMAND,
            CancelCommand.COMMAND,
            SshCommand.COMMAND,
            MigrateCommand.COMMAND,
            CompletionCommand.COMMAND);

    /** In the order of the help text. */
    private static final List<Subcommand> ALL =
            Stream.concat(OF_A_RUN.stream(), OTHERS.stream()).toList();

    private Commands() {}

    public static List<Subcommand> all() {
        return ALL;
    }

    public static List<String> names() {
        return ALL.stream().map(Subcommand::name).toList();
    }

    public static Optional<Subcommand> named(String name) {
        return ALL.stream().filter(command -> command.name().equals(name)).findFirst();
    }

    /** The page that the arguments ask for in the simplest way; other ways are found when they are parsed. */
    public static Optional<HelpPage> page(List<String> arguments) {
        String first = arguments.isEmpty() ? "" : arguments.get(0);
        String second = arguments.size() < 2 ? "" : arguments.get(1);
        if (first.equals("help") && !second.isEmpty()) {
            return Optional.of(named(second).map(Subcommand::page).orElse(HelpPage.RUN));
        }
        if (isHelp(first) || first.equals("help")) {
            return Optional.of(HelpPage.RUN);
        }
        if (first.equals("--version") || first.equals("version")) {
            return Optional.of(HelpPage.VERSION);
        }
        return isHelp(second) ? named(first).map(Subcommand::page) : Optional.empty();
    }

    private static boolean isHelp(String argument) {
        return argument.equals("-h") || argument.equals("--help");
    }

    /**
     * @param arguments what follows the command's name
     * @return what the process is to exit with
     */
    public static int run(
            Subcommand command,
            List<String> arguments,
            Map<String, String> environment,
            PrintStream out,
            PrintStream err) {
        if (OF_A_RUN.contains(command)) {
            ControlClient.prepare();
        }
        ParseResult parsed = CommandModel.parse(command.model().get(), arguments);
        if (parsed.hasMatchedOption("--help")) {
            return Invocation.print(command.page().text(), out);
        }
        return command.body().run(new Invocation(parsed, environment, out, err));
    }
}
