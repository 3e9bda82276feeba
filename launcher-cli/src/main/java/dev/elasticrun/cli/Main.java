/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.control.ControlClient;
import dev.elasticrun.agent.launch.ExitCode;
import dev.elasticrun.cli.command.Commands;
import dev.elasticrun.cli.command.Subcommand;
import dev.elasticrun.cli.log.LogOutput;
import dev.elasticrun.cli.options.HelpPage;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.LaunchOptions;
import dev.elasticrun.cli.options.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command {@code elastic-run}. */
public final class Main {
    /** What the JVM puts in the place of bytes that mean nothing in the encoding of the locale. */
    private static final char NOT_DECODED = '\ufffd';

    private Main() {}

    public static void main(String[] arguments) {
        int exitCode = run(List.of(arguments), System.getenv(), System.out, System.err);
        ControlClient.shutdown();
        LogOutput.flush();
        System.exit(exitCode);
    }

    /** Ends the process where nothing can be relied upon: no hook runs. */
    static void halt(ExitCode exitCode) {
        try {
            LogOutput.flush();
        } finally {
            Runtime.getRuntime().halt(exitCode.code());
        }
    }

    /** @return what the process is to exit with */
    public static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
        try {
            check(arguments, System.getProperty("os.name"));
            Optional<HelpPage> page = Commands.page(arguments);
            if (page.isPresent()) {
                return Invocation.print(page.get().text(), out);
            }
            Optional<Subcommand> command = arguments.stream().findFirst().flatMap(Commands::named);
            if (command.isPresent()) {
                return Commands.run(command.get(), arguments.subList(1, arguments.size()), environment, out, err);
            }
            FirstWord.check(arguments);
            LaunchOptions.Parsed parsed = LaunchOptions.parse(arguments, environment);
            if (parsed.config().isEmpty()) {
                return Invocation.print(parsed.printed().orElseGet(parsed.page().orElse(HelpPage.RUN)::text), out);
            }
            return RunCommand.run(parsed.config().get(), parsed.verbose(), parsed.noEffect(), environment, err);
        } catch (UsageException e) {
            e.violations().forEach(violation -> err.println("elastic-run: " + violation));
            err.println("see elastic-run --help");
            return ExitCode.USAGE.code();
        }
    }

    /** What is found here would fail later, and with a message that does not name the cause. */
    static void check(List<String> arguments, String operatingSystem) {
        if (!operatingSystem.equals("Linux")) {
            throw new UsageException(List.of("operating system: " + operatingSystem + " (expected: Linux)"));
        }
        for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).indexOf(NOT_DECODED) >= 0) {
                throw new UsageException(List.of("argument " + (i + 1) + ": " + arguments.get(i) + " (expected: valid "
                        + System.getProperty("sun.jnu.encoding") + ", which is the encoding of the locale)"));
            }
        }
    }
}
