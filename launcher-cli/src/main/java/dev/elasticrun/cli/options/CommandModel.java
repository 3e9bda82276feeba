/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.cli.torchrun.TorchrunFlag;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The commands as picocli sees them. Values stay texts here, since picocli stops at the first that is wrong and {@link
 * LaunchOptions} names them all.
 */
public final class CommandModel {
    private static final int WIDTH = 100;
    public static final String HELP = "Show this help.";
    /** Of the general options those that mean something in a line that is started elsewhere. */
    private static final List<String> OF_A_LINE = List.of("--config", "--verbose");

    private CommandModel() {}

    /** For parsing: every flag with its second spelling. */
    public static CommandLine run() {
        CommandSpec spec = CommandSpec.create().name("elastic-run");
        Settings.all().forEach(setting -> spec.addOption(option(setting, true)));
        for (TorchrunFlag flag : TorchrunFlag.values()) {
            spec.addOption(option(flag));
        }
        general().forEach(spec::addOption);
        spec.addPositional(positional());
        return line(spec);
    }

    /**
     * For a command that takes a launch line and has options of its own, which may stand among those of the line. The help text
     * has its own ones only.
     */
    public static CommandLine submit(
            String name, String synopsis, String description, List<String> footer, OptionSpec... options) {
        CommandSpec spec = ofALaunch(name, List.of(), options);
        spec.addPositional(positional());
        spec.usageMessage()
                .customSynopsis("elastic-run " + synopsis)
                .description(description)
                .parameterListHeading("%n")
                .optionListHeading("%n")
                .footer(footer.stream().map(line -> line.replace("%", "%%")).toArray(String[]::new));
        return line(spec);
    }

    /**
     * For a command that looks at what a launch would find, with options of its own. All flags of a launch are taken; the help text
     * has some.
     *
     * @param shown those of the help text
     */
    public static CommandLine examination(
            String name, String synopsis, String description, List<Setting<?>> shown, OptionSpec... options) {
        CommandSpec spec = ofALaunch(name, shown, options);
        spec.usageMessage()
                .customSynopsis("elastic-run " + synopsis)
                .description(description)
                .optionListHeading("%n");
        return line(spec);
    }

    /** As {@link #examination}, for a command that takes a file, too. */
    public static CommandLine ofFile(
            String name,
            String synopsis,
            String description,
            String file,
            List<Setting<?>> shown,
            OptionSpec... options) {
        CommandLine line = examination(name, synopsis, description, shown, options);
        line.getCommandSpec()
                .addPositional(PositionalParamSpec.builder()
                        .index("0..*")
                        .arity("0..*")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .paramLabel("FILE")
                        .hideParamSyntax(true)
                        .description(file)
                        .build());
        return line;
    }

    /** A command that takes all flags of a launch in any spelling, of which the help text has some in one, and options of its own. */
    private static CommandSpec ofALaunch(String name, List<Setting<?>> shown, OptionSpec... own) {
        CommandSpec spec = CommandSpec.create().name("elastic-run " + name);
        for (OptionSpec option : own) {
            spec.addOption(option);
        }
        for (Setting<?> setting : shown) {
            spec.addOption(option(setting, false));
            List<String> others = underscored(setting).toList();
            if (!others.isEmpty()) {
                spec.addOption(hidden(option(setting, others)));
            }
        }
        Settings.all().stream()
                .filter(setting -> !shown.contains(setting))
                .forEach(setting -> spec.addOption(hidden(option(setting, true))));
        for (TorchrunFlag flag : TorchrunFlag.values()) {
            spec.addOption(option(flag));
        }
        general().stream()
                .filter(option -> OF_A_LINE.contains(option.longestName()))
                .forEach(option -> spec.addOption(hidden(option)));
        spec.addOption(switchOption(HELP, "-h", "--help"));
        return spec;
    }

    private static OptionSpec hidden(OptionSpec option) {
        return option.toBuilder().hidden(true).build();
    }

    /**
     * For the help text: one spelling, in groups.
     *
     * @param commands synopsis of each command beside the launch
     */
    public static CommandLine runHelp(List<String> commands) {
        CommandSpec spec = CommandSpec.create().name("elastic-run");
        for (Settings.Group group : Settings.GROUPS) {
            ArgGroupSpec.Builder section = ArgGroupSpec.builder()
                    .heading("%n" + group.title() + ":%n")
                    .validate(false)
                    .exclusive(false)
                    .order(Settings.GROUPS.indexOf(group));
            group.settings().forEach(setting -> section.addArg(option(setting, false)));
            spec.addArgGroup(section.build());
        }
        general().forEach(spec::addOption);
        spec.addPositional(positional());
        spec.usageMessage()
                .headerHeading("NAME%n")
                .header(HelpText.NAME)
                .customSynopsis(synopsis(commands))
                .descriptionHeading("%nDESCRIPTION%n")
                .description(HelpText.DESCRIPTION)
                .parameterListHeading("%nOPTIONS%n%n")
                .optionListHeading("%nGeneral:%n")
                .footer(HelpText.footer());
        CommandLine command = line(spec);
        spec.usageMessage().synopsisHeading("%nSYNOPSIS%n");
        return command;
    }

    /**
     * A command beside the launch, about a run that may be on other hosts.
     *
     * @param options besides {@code --run-id}, {@code --help} and those by which other hosts are found
     */
    public static CommandLine subcommand(String name, String synopsis, String description, OptionSpec... options) {
        CommandLine line = localSubcommand(name, synopsis, description, options);
        line.getCommandSpec().addArgGroup(remoteFlags("%nOf a run on other hosts:%n"));
        return line;
    }

    /** Those by which a store is reached. */
    public static ArgGroupSpec remoteFlags(String heading) {
        ArgGroupSpec.Builder remote =
                ArgGroupSpec.builder().heading(heading).validate(false).exclusive(false);
        RemoteFlags.HELP.forEach((setting, help) -> remote.addArg(
                setting.kind().takesValue()
                        ? valueOption(setting.option(), setting.kind().label(), help)
                        : switchOption(help, setting.option())));
        return remote.build();
    }

    /** The same about a run of which an agent is on this host. */
    public static CommandLine localSubcommand(String name, String synopsis, String description, OptionSpec... options) {
        CommandSpec spec = CommandSpec.create().name("elastic-run " + name);
        spec.addOption(OptionSpec.builder("--run-id", "--rdzv-id")
                .type(String.class)
                .paramLabel("NAME")
                .description("The run. Default: the only one that has an agent on this host.")
                .build());
        for (OptionSpec option : options) {
            spec.addOption(option);
        }
        spec.addOption(switchOption(HELP, "-h", "--help"));
        spec.usageMessage()
                .customSynopsis("elastic-run " + synopsis)
                .description(description)
                .optionListHeading("%n");
        return line(spec);
    }

    /** The same with one argument, which may stand before and behind the options. */
    public static CommandLine subcommand(
            String name,
            String synopsis,
            String description,
            String argument,
            String argumentDescription,
            List<OptionSpec> options) {
        CommandLine line = subcommand(name, synopsis, description, options.toArray(OptionSpec[]::new));
        line.getCommandSpec().addPositional(argument("0", argument, argumentDescription));
        return line.setStopAtPositional(false);
    }

    /** One argument that may be left out. */
    public static PositionalParamSpec argument(String index, String label, String description) {
        return PositionalParamSpec.builder()
                .index(index)
                .arity("0..1")
                .type(String.class)
                .paramLabel(label)
                .hideParamSyntax(true)
                .description(description)
                .build();
    }

    /** @throws UsageException when picocli does not understand the arguments */
    public static ParseResult parse(CommandLine command, List<String> arguments) {
        try {
            return command.parseArgs(arguments.toArray(String[]::new));
        } catch (UnmatchedArgumentException e) {
            throw new UsageException(e.getUnmatched().stream()
                    .limit(1)
                    .map(unmatched -> unknown(unmatched, command))
                    .toList());
        } catch (MissingParameterException e) {
            String name = e.getMissing().isEmpty() || !(e.getMissing().get(0) instanceof OptionSpec option)
                    ? "arguments"
                    : option.longestName();
            throw UsageException.of(name, "no value", "a value after it");
        } catch (ParameterException e) {
            throw new UsageException(List.of(String.valueOf(e.getMessage())));
        }
    }

    private static String unknown(String unmatched, CommandLine command) {
        String name = unmatched.split("=", 2)[0];
        if (!name.startsWith("-")) {
            return UsageException.line("argument", unmatched, "no arguments here");
        }
        return UsageException.line(
                name,
                "unknown flag",
                LaunchOptions.nearest(name.replace('_', '-'), command)
                        .map(near -> "a flag that --help lists; the nearest is " + near)
                        .orElse("a flag that --help lists"));
    }

    public static CommandLine line(CommandSpec spec) {
        spec.usageMessage()
                .width(WIDTH)
                .sortOptions(false)
                .synopsisHeading("Usage: ")
                .abbreviateSynopsis(true);
        spec.parser().unmatchedOptionsArePositionalParams(false);
        return new CommandLine(spec)
                .setStopAtPositional(true)
                .setExpandAtFiles(false)
                .setPosixClusteredShortOptionsAllowed(false)
                .setOverwrittenOptionsAllowed(true)
                .setColorScheme(new CommandLine.Help.ColorScheme.Builder(CommandLine.Help.Ansi.OFF).build());
    }

    private static OptionSpec option(Setting<?> setting, boolean bothSpellings) {
        Stream<String> hyphened = setting.names().stream().map(name -> "--" + name);
        Stream<String> names = bothSpellings ? Stream.concat(hyphened, underscored(setting)) : hyphened;
        return option(setting, Stream.concat(setting.letter().stream(), names).toList());
    }

    /** The names that torchrun's users may write with underscores. */
    private static Stream<String> underscored(Setting<?> setting) {
        return setting.names().stream()
                .filter(name -> name.indexOf('-') >= 0)
                .map(name -> "--" + name.replace('-', '_'));
    }

    private static OptionSpec option(Setting<?> setting, List<String> spelled) {
        OptionSpec.Builder option = OptionSpec.builder(spelled.toArray(String[]::new));
        String fallback = setting.fallback().text();
        String help = (setting.help() + (fallback.isEmpty() ? "" : " Default: " + fallback + "."))
                .replace("%", "%%")
                .replace("${", "$${");
        option.description(help);
        if (setting.kind().takesValue()) {
            return option.type(List.class)
                    .auxiliaryTypes(String.class)
                    .arity("1")
                    .paramLabel(setting.kind().label())
                    .build();
        }
        return option.type(Boolean.class).arity("0").build();
    }

    // Accepted for who comes from torchrun, and in no help text.
    private static OptionSpec option(TorchrunFlag flag) {
        String name = flag.option();
        OptionSpec.Builder option = OptionSpec.builder(
                        name, "--" + name.substring(2).replace('-', '_'))
                .hidden(true);
        return flag.label().isEmpty()
                ? option.type(Boolean.class).arity("0").build()
                : option.type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel(flag.label())
                        .build();
    }

    private static List<OptionSpec> general() {
        return List.of(
                OptionSpec.builder("--config")
                        .type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity("1")
                        .paramLabel("FILE")
                        .description("Values of flags, in YAML or JSON. Default: the variable ELASTICRUN_CONFIG.")
                        .build(),
                switchOption(
                        "Show each value and where it is from, in the form of such a file, and start nothing.",
                        "--print-config"),
                switchOption("Log more of what happens.", "--verbose"),
                switchOption("Show the version.", "--version"),
                switchOption(HELP, "-h", "--help"));
    }

    private static String[] synopsis(List<String> commands) {
        return Stream.concat(
                        Stream.of("  elastic-run [OPTIONS] [--] PROGRAM [ARGS...]"),
                        commands.stream().map(command -> "  elastic-run " + command))
                .toArray(String[]::new);
    }

    /** An option without a value. */
    public static OptionSpec switchOption(String description, String... names) {
        return OptionSpec.builder(names)
                .type(Boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    /** An option with one value. */
    public static OptionSpec valueOption(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    /** An option that may stand alone or have a value. */
    public static OptionSpec optionalValueOption(String name, String label, String alone, String description) {
        return OptionSpec.builder(name)
                .type(String.class)
                .arity("0..1")
                .fallbackValue(alone)
                .paramLabel(label)
                .description(description)
                .build();
    }

    private static PositionalParamSpec positional() {
        return PositionalParamSpec.builder()
                .index("0..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("PROGRAM [ARGS...]")
                .hideParamSyntax(true)
                .description("What each worker runs, and its arguments: all that follows PROGRAM is for the program.")
                .build();
    }
}
