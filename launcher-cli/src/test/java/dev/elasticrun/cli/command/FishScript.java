/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.command;

import dev.elasticrun.cli.options.CommandModel;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.OptionSpec;

/** Writes the script of {@code elastic-run completion fish} from the commands' models, as {@link CompletionScript} does. */
final class FishScript {
    private static final String HEAD = """
            # Completes the words of elastic-run in fish: elastic-run completion fish | source

            # Whether the line has this command, or with an empty word none.
            function __elastic_run_has
                set -l words (commandline -opc)
                set -l command ''
                if set -q words[2]; and contains -- $words[2] COMMANDS
                    set command $words[2]
                end
                test "$command" = "$argv[1]"
            end

            # Whether no word stands before the one that is completed.
            function __elastic_run_begins
                test (count (commandline -opc)) = 1
            end

            # Runs that have an agent on this host; with --all also those that have ended.
            function __elastic_run_runs
                elastic-run list $argv 2>/dev/null | tail -n +2 | string replace -r ' .*' ''
            end

            complete -c elastic-run -n __elastic_run_begins -a 'COMMANDS'
            """;

    private FishScript() {}

    static String render() {
        Stream<String> ofLaunch = flags("", CommandModel.run().getCommandSpec().options());
        Stream<String> ofCommands = Commands.all().stream()
                .flatMap(command -> flags(
                        command.name(), command.model().get().getCommandSpec().options()));
        return HEAD.replace("COMMANDS", String.join(" ", Commands.names()))
                + Stream.concat(ofLaunch, ofCommands).collect(Collectors.joining());
    }

    private static Stream<String> flags(String command, List<OptionSpec> options) {
        return options.stream()
                .filter(option -> !option.hidden())
                .map(option -> "complete -c elastic-run -n \"__elastic_run_has '" + command + "'\""
                        + names(option)
                        + value(option, options)
                        + " -d " + quoted(summary(option))
                        + "\n");
    }

    private static String names(OptionSpec option) {
        return Arrays.stream(option.names())
                .filter(name -> !name.contains("_"))
                .map(name -> name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1))
                .collect(Collectors.joining());
    }

    private static String value(OptionSpec option, List<OptionSpec> all) {
        if (option.arity().min() == 0) {
            return " -f";
        }
        String kind = CompletionScript.kind(option, all);
        return switch (kind) {
            case "f" -> " -r -F";
            case "d" -> " -x -a '(__fish_complete_directories)'";
            case "r" -> " -x -a '(__elastic_run_runs)'";
            case "a" -> " -x -a '(__elastic_run_runs --all)'";
            case "-" -> " -x";
            default -> " -x -a " + quoted(kind);
        };
    }

    /** The first sentence. */
    private static String summary(OptionSpec option) {
        return String.join(" ", option.description())
                .replace("%%", "%")
                .split("[.;:] ", 2)[0]
                .replaceFirst("\\.$", "");
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
