/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.ExitCode;
import dev.elasticrun.agent.control.ControlClient;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command {@code elastic-run}. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = run(List.of(arguments), System.getenv(), System.out, System.err);
        ControlClient.shutdown();
        System.exit(exitCode);
    }

    /** @return what the process is to exit with */
    static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        try {
            Optional<HelpPage> page = HelpPage.of(arguments);
            if (page.isPresent()) {
                return show(page.get().text(), out);
            }
            Optional<Subcommand> command = arguments.stream().findFirst().flatMap(Subcommand::named);
            if (command.isPresent()) {
                return command.get().run(arguments.subList(1, arguments.size()), environment, out, err);
            }
            FirstWord.check(arguments);
            LaunchOptions.Parsed parsed = LaunchOptions.parse(arguments, environment);
            if (parsed.config().isEmpty()) {
                return show(parsed.printed().orElseGet(parsed.page().orElse(HelpPage.RUN)::text), out);
            }
            return RunCommand.run(parsed.config().get(), parsed.verbose(), environment, err);
        } catch (UsageException e) {
            e.violations().forEach(violation -> err.println("elastic-run: " + violation));
            err.println("see elastic-run --help");
            return ExitCode.USAGE.code();
        }
    }

    static int show(String text, PrintStream out) {
        out.print(text);
        out.flush();
        return ExitCode.SUCCEEDED.code();
    }
}
