/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.launch.ExitCode;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * One use of a command.
 *
 * @param out where what was asked for is printed
 * @param err where messages are printed
 */
public record Invocation(ParseResult arguments, Map<String, String> environment, PrintStream out, PrintStream err) {
    /** Whether a flag without a value was given. */
    public boolean has(String flag) {
        return arguments.hasMatchedOption(flag);
    }

    /** The argument that is no flag, nor the value of one. */
    public Optional<String> argument() {
        return argument(0);
    }

    /** The same of several. */
    public Optional<String> argument(int index) {
        return Optional.ofNullable(arguments.matchedPositionalValue(index, (String) null));
    }

    public Optional<String> value(String flag) {
        return Optional.ofNullable(arguments.matchedOptionValue(flag, (String) null));
    }

    /** Of a flag that may be given several times. */
    public List<String> values(String flag) {
        return Optional.ofNullable(arguments.matchedOption(flag))
                .map(OptionSpec::stringValues)
                .orElse(List.of());
    }

    /** Prints what was asked for, and returns the exit code of a command that did no more than that. */
    public static int print(String text, PrintStream out) {
        out.print(text);
        out.flush();
        return ExitCode.SUCCEEDED.code();
    }
}
