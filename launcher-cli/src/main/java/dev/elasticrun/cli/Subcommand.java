/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.control.ControlClient;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A command beside the launch: {@code elastic-run NAME ...}.
 *
 * @param synopsis what follows {@code elastic-run} in the help text
 * @param model how it is parsed, and its help; made when needed only
 */
record Subcommand(String name, String synopsis, Supplier<CommandForm> model, Body body) {

    /** All, in the order of the help text. */
    static final List<Subcommand> ALL = List.of(
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
    record Call(Arguments arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        /** Whether a flag without a value was given. */
        boolean has(String flag) {
            return arguments.has(flag);
        }

        /** The argument that is no flag, nor the value of one. */
        Optional<String> argument() {
            return arguments.others().stream().findFirst();
        }

        Optional<String> value(String flag) {
            return arguments.value(flag);
        }
    }

    static Optional<Subcommand> named(String name) {
        return ALL.stream().filter(command -> command.name().equals(name)).findFirst();
    }

    int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        CommandForm form = model.get();
        if (form.asksAgents()) {
            ControlClient.prepare();
        }
        Arguments parsed = Arguments.parse(form, arguments);
        if (parsed.has("--help")) {
            return Main.show(HelpPage.of(this).text(), out);
        }
        return body.run(new Call(parsed, environment, out, err));
    }
}
