/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The forms of the commands, from which they are parsed and their help is written. */
final class CommandModel {
    static final String HELP = "Show this help.";
    static final OptionForm HELP_OPTION = switchOption(HELP, "-h", "--help");

    private CommandModel() {}

    /** The launch, with the second spelling of every flag. */
    static CommandForm run() {
        return new CommandForm(
                "elastic-run",
                "[OPTIONS] [--] PROGRAM [ARGS...]",
                "",
                Optional.of(new CommandForm.Argument(
                        "PROGRAM [ARGS...]",
                        "What each worker runs, and its arguments: all that follows PROGRAM is for the program.",
                        true)),
                Stream.concat(Flags.all().stream().map(CommandModel::option), general().stream())
                        .toList(),
                List.of());
    }

    /**
     * A command beside the launch.
     *
     * @param options besides {@code --run-id} and {@code --help}
     */
    static CommandForm subcommand(String name, String synopsis, String description, OptionForm... options) {
        return subcommand(name, synopsis, description, Optional.empty(), List.of(options));
    }

    /** The same with one argument, which may stand before and behind the options. */
    static CommandForm subcommand(
            String name,
            String synopsis,
            String description,
            String argument,
            String argumentDescription,
            List<OptionForm> options) {
        return subcommand(
                name,
                synopsis,
                description,
                Optional.of(new CommandForm.Argument(argument, argumentDescription, false)),
                options);
    }

    private static CommandForm subcommand(
            String name,
            String synopsis,
            String description,
            Optional<CommandForm.Argument> argument,
            List<OptionForm> options) {
        OptionForm runId = new OptionForm(
                List.of("--run-id", "--rdzv-id"),
                "NAME",
                "",
                "The run. Default: the only one that has an agent on this host.");
        return new CommandForm(
                name,
                synopsis,
                description,
                argument,
                Stream.of(List.of(runId), options, List.of(HELP_OPTION))
                        .flatMap(List::stream)
                        .toList(),
                RemoteFlags.ALL.stream()
                        .map(flag -> new OptionForm(List.of(flag.name()), flag.label(), "", flag.description()))
                        .toList());
    }

    /** A flag of the launch, with both spellings of its names. */
    static OptionForm option(Flag flag) {
        List<String> names = flag.alias().isEmpty() ? List.of(flag.name()) : List.of(flag.name(), flag.alias());
        return new OptionForm(
                names.stream()
                        .flatMap(name -> Stream.of(name, name.replace('-', '_')))
                        .distinct()
                        .map(name -> "--" + name)
                        .toList(),
                flag.label(),
                "",
                flag.help() + (flag.fallback().isEmpty() ? "" : " Default: " + flag.fallback() + "."));
    }

    /** Options of the launch that set nothing. */
    static List<OptionForm> general() {
        return List.of(
                valueOption(
                        "--config",
                        "FILE",
                        "Values of flags, in YAML or JSON. Default: the variable ELASTICRUN_CONFIG."),
                switchOption(
                        "Show each value and where it is from, in the form of such a file, and start nothing.",
                        "--print-config"),
                switchOption("Say more about what happens.", "--verbose"),
                switchOption("Show the version.", "--version"),
                HELP_OPTION);
    }

    /** An option without a value. */
    static OptionForm switchOption(String description, String... names) {
        return new OptionForm(List.of(names), "", "", description);
    }

    /** An option with one value. */
    static OptionForm valueOption(String name, String label, String description) {
        return new OptionForm(List.of(name), label, "", description);
    }

    /** An option that may stand alone or have a value. */
    static OptionForm optionalValueOption(String name, String label, String alone, String description) {
        return new OptionForm(List.of(name), label, alone, description);
    }
}
