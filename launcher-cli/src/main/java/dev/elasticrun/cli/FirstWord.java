/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.cli.command.Commands;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.text.Spelling;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What stands first on a command line and is no command: a mistyped one must not run a program of that name, as {@code
 * kill} or {@code reboot} is. A program that is looked for on the PATH follows a flag or {@code --}. Pure.
 */
final class FirstWord {
    // Words for commands in other tools.
    private static final Map<String, String> NATURAL = Map.ofEntries(
            Map.entry("ls", "status"),
            Map.entry("ps", "status"),
            Map.entry("runs", "status"),
            Map.entry("jobs", "list"),
            Map.entry("queue", "list"),
            Map.entry("sbatch", "submit"),
            Map.entry("info", "status"),
            Map.entry("kill", "stop"),
            Map.entry("scancel", "cancel"),
            Map.entry("end", "stop"),
            Map.entry("shutdown", "stop"),
            Map.entry("tail", "logs"),
            Map.entry("why", "explain"),
            Map.entry("describe", "explain"),
            Map.entry("history", "explain"),
            Map.entry("ui", "dashboard"),
            Map.entry("page", "dashboard"),
            Map.entry("jstack", "dump"),
            Map.entry("stack", "dump"),
            Map.entry("flame", "profile"),
            Map.entry("jfr", "profile"),
            Map.entry("resize", "scale"),
            Map.entry("reboot", "restart"),
            Map.entry("storm", "chaos"),
            Map.entry("evict", "drain"));

    private FirstWord() {}

    /** @throws UsageException when the first argument could be meant as a command */
    static void check(List<String> arguments) {
        String word = arguments.isEmpty() ? "-" : arguments.get(0);
        if (word.startsWith("-") || word.contains("/") || word.endsWith(".jar")) {
            return;
        }
        throw UsageException.of(
                "COMMAND",
                word,
                nearest(word).map(near -> near + "? Or ").orElse("") + "one of " + names() + "; to run the program "
                        + word + ": elastic-run -- " + word + " ...");
    }

    private static Optional<String> nearest(String word) {
        return Optional.ofNullable(NATURAL.get(word)).or(() -> Spelling.nearest(word, Commands.names()));
    }

    private static String names() {
        return String.join(", ", Commands.names());
    }
}
