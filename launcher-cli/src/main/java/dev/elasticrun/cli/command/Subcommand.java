/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.HelpPage;
import dev.elasticrun.cli.options.Invocation;
import dev.elasticrun.cli.options.UsageException;
import java.util.function.Supplier;
import picocli.CommandLine;

/**
 * A command beside the launch: {@code elastic-run NAME ...}.
 *
 * @param synopsis what follows {@code elastic-run} in the help text
 * @param model how it is parsed, and its help; made when needed only
 */
public record Subcommand(String name, String synopsis, Supplier<CommandLine> model, Body body) {

    /** What the command does. */
    @FunctionalInterface
    interface Body {
        /**
         * @return what the process is to exit with
         * @throws UsageException when the arguments fit nothing that is there
         */
        int run(Invocation call);
    }

    public HelpPage page() {
        return new HelpPage("help-" + name + ".txt");
    }
}
