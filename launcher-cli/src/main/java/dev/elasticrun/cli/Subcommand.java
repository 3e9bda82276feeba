/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.control.ControlClient;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/**
 * A command beside the launch: {@code elastic-run NAME ...}.
 *
 * @param synopsis what follows {@code elastic-run} in the help text
 * @param model how it is parsed, and its help; made when needed only
 */
record Subcommand(String name, String synopsis, Supplier<CommandLine> model, Body body) {

    /** Of its own: each command's class needs this one, and would need all others when it is loaded. */
    private static final class Known {
        /** In the order of the help text. */
        private static final List<Subcommand> ALL = List.of(
                StatusCommand.COMMAND,
                LogsCommand.COMMAND,
                EventsCommand.COMMAND,
                ExplainCommand.COMMAND,
                DashboardCommand.COMMAND,
                DrainCommand.COMMAND,
                ScaleCommand.COMMAND,
                StopCommand.COMMAND,
                RestartCommand.COMMAND,
                DumpCommand.COMMAND,
                CompletionCommand.COMMAND);
    }

    /** All, in the order of the help text. */
    static List<Subcommand> all() {
        return Known.ALL;
    }

    /** What the command does. */
    @FunctionalInterface
    interface Body {
        /**
         * @return what the process is to exit with
         * @throws UsageException when the arguments fit nothing that is there
         */
        int run(Call call);
    }

    /** One use of a command. */
    record Call(ParseResult arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        /** Whether a flag without a value was given. */
        boolean has(String flag) {
            return arguments.hasMatchedOption(flag);
        }

        /** The argument that is no flag, nor the value of one. */
        Optional<String> argument() {
            return Optional.ofNullable(arguments.matchedPositionalValue(0, (String) null));
        }

        Optional<String> value(String flag) {
            return Optional.ofNullable(arguments.matchedOptionValue(flag, (String) null));
        }
    }

    static Optional<Subcommand> named(String name) {
        return all().stream().filter(command -> command.name().equals(name)).findFirst();
    }

    /** Whether it is about a run. */
    private boolean asksAgents() {
        return !equals(CompletionCommand.COMMAND);
    }

    int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        if (asksAgents()) {
            ControlClient.prepare();
        }
        ParseResult parsed = CommandModel.parse(model.get(), arguments);
        if (parsed.hasMatchedOption("--help")) {
            return Main.show(HelpPage.of(this).text(), out);
        }
        return body.run(new Call(parsed, environment, out, err));
    }
}
