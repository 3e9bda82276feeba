/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.SettingValues;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import dev.elasticrun.cli.text.Spelling;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Command line, environment and file to {@link LaunchConfig}, and back. */
public final class LaunchOptions {
    private static final String CONFIG = "--config";
    private static final String CONFIG_VARIABLE = "ELASTICRUN_CONFIG";
    private static final String VERBOSE = "--verbose";
    /** Stands for a directory of logs that is not looked at: one that exists. */
    private static final String NO_LOGS = "/";

    private LaunchOptions() {}

    /**
     * What the command is to do: one of the first three.
     *
     * @param page a page of help to show
     * @param printed a configuration to print
     * @param config what to run
     * @param noEffect what of torchrun's flags and variables has no effect, and why: sentences
     */
    public record Parsed(
            Optional<HelpPage> page,
            Optional<String> printed,
            Optional<LaunchConfig> config,
            boolean verbose,
            List<String> noEffect) {}

    /**
     * A torchrun line as it is understood here.
     *
     * @param arguments of this command: flags, the program and its arguments
     * @param remarks sentences about what has another name, or no effect
     */
    public record Migrated(List<String> arguments, List<String> remarks) {}

    /** @throws UsageException naming all that is wrong */
    public static Parsed parse(List<String> arguments, Map<String, String> environment) {
        ParseResult parsed = CommandModel.parse(CommandModel.run(), arguments);
        if (parsed.hasMatchedOption("--help")) {
            return page(HelpPage.RUN);
        }
        if (parsed.hasMatchedOption("--version")) {
            return page(HelpPage.VERSION);
        }
        GivenValues given = values(parsed, environment);
        if (parsed.hasMatchedOption("--print-config")) {
            LaunchConfig config = given.config(false);
            return new Parsed(
                    Optional.empty(),
                    Optional.of(ConfigView.render(config, given)),
                    Optional.empty(),
                    false,
                    given.noEffect());
        }
        return new Parsed(
                Optional.empty(),
                Optional.empty(),
                Optional.of(given.config(true)),
                parsed.hasMatchedOption(VERBOSE),
                given.noEffect());
    }

    /**
     * What a line of torchrun stands for. Reads no file and checks no program.
     *
     * @param arguments of torchrun
     * @param environment variables before it
     * @throws UsageException naming all that is wrong
     */
    public static Migrated migrate(List<String> arguments, Map<String, String> environment) {
        GivenValues given = values(CommandModel.parse(CommandModel.run(), arguments), environment);
        given.set(setting -> true, LaunchConfig.builder(GivenValues.NO_PROGRAM));
        given.check();
        List<String> line = new ArrayList<>(given.flags());
        line.addAll(given.command()
                .orElseThrow(() -> UsageException.of("PROGRAM", "missing", "what the torchrun line runs"))
                .texts());
        return new Migrated(
                line,
                Stream.concat(given.notes().stream(), given.noEffect().stream()).toList());
    }

    /**
     * A launch line for agents on other machines. Takes nothing from the engine that started this process, which need not be
     * theirs.
     *
     * @param parsed by {@link CommandModel#submit}
     * @throws UsageException naming all that is wrong wherever the agents run
     */
    public static SubmittedLine submitted(ParseResult parsed, Map<String, String> environment) {
        SubmittedLine line = new SubmittedValues(withoutEngine(parsed, environment)).line();
        if (!parsed.hasMatchedOption(VERBOSE)) {
            return line;
        }
        List<String> flags = new ArrayList<>(line.flags());
        flags.add(VERBOSE);
        return new SubmittedLine(flags, line.command(), line.nodes(), line.workersPerNode(), line.noEffect());
    }

    /**
     * The configuration of an agent whose program does not count. Its directory of logs is not checked, as that would make it.
     *
     * @param parsed by {@link CommandModel#examination}
     * @param found violations that were found before
     * @throws UsageException naming all that is wrong
     */
    public static LaunchConfig examined(ParseResult parsed, Map<String, String> environment, List<String> found) {
        GivenValues given = values(parsed, environment);
        LaunchConfigBuilder builder = LaunchConfig.builder(GivenValues.NO_PROGRAM);
        Path usual = SettingValues.DEFAULTS.get(Settings.LOG_DIR);
        List<String> violations = new ArrayList<>(found);
        try {
            given.set(setting -> !setting.equals(Settings.LOG_DIR), builder.logDir(Path.of(NO_LOGS)));
            given.set(Settings.LOG_DIR::equals, LaunchConfig.builder(GivenValues.NO_PROGRAM));
            given.build(builder, name -> !name.equals(Settings.LOG_DIR.option()));
            given.set(Settings.LOG_DIR::equals, builder.logDir(usual));
        } catch (UsageException e) {
            violations.addAll(e.violations());
        }
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
        return builder.unchecked();
    }

    /**
     * Whether a setting is given by a command line, its environment or its file, and not left to its default.
     *
     * @throws UsageException when the command line cannot be read; values are not checked
     */
    public static Predicate<Setting<?>> given(List<String> arguments, Map<String, String> environment) {
        GivenValues given = values(CommandModel.parse(CommandModel.run(), arguments), environment);
        return given::isGiven;
    }

    private static GivenValues values(ParseResult parsed, Map<String, String> environment) {
        return withoutEngine(parsed, environment).withEngine(environment);
    }

    private static GivenValues withoutEngine(ParseResult parsed, Map<String, String> environment) {
        return new GivenValues(
                setting -> onCommandLine(setting.option(), setting.kind().takesValue(), parsed),
                flag -> onCommandLine(flag.option(), !flag.label().isEmpty(), parsed),
                parsed.matchedPositionalValue(0, List.<String>of()),
                environment,
                file(parsed, environment).orElse(null));
    }

    private static Parsed page(HelpPage page) {
        return new Parsed(Optional.of(page), Optional.empty(), Optional.empty(), false, List.of());
    }

    private static Optional<List<String>> onCommandLine(String option, boolean takesValue, ParseResult parsed) {
        // Where the help text has one spelling, the other one is an option of its own.
        List<OptionSpec> matched = Stream.of(option, "--" + option.substring(2).replace('-', '_'))
                .flatMap(name -> Stream.ofNullable(parsed.matchedOption(name)))
                .distinct()
                .toList();
        if (matched.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                takesValue
                        ? matched.stream()
                                .flatMap(one -> one.stringValues().stream())
                                .toList()
                        : List.of("true"));
    }

    private static Optional<ConfigFile> file(ParseResult parsed, Map<String, String> environment) {
        OptionSpec option = parsed.matchedOption(CONFIG);
        if (option != null) {
            List<String> files = option.stringValues();
            return Optional.of(ConfigFile.read(CONFIG, files.get(files.size() - 1)));
        }
        return Optional.of(environment.getOrDefault(CONFIG_VARIABLE, ""))
                .filter(file -> !file.isEmpty())
                .map(file -> ConfigFile.read(CONFIG_VARIABLE, file));
    }

    /** The command line of a configuration; where it takes the default there is no flag. */
    public static List<String> arguments(LaunchConfig config) {
        List<String> arguments = new ArrayList<>();
        for (Setting<?> setting : Settings.all()) {
            List<String> texts = config.texts(setting);
            if (!texts.equals(config.defaultTexts(setting))) {
                boolean takesValue = setting.kind().takesValue();
                texts.forEach(text -> arguments.add(takesValue ? setting.option() + "=" + text : setting.option()));
            }
        }
        arguments.add("--");
        arguments.add(config.program());
        arguments.addAll(config.arguments());
        return arguments;
    }

    /** The known name that is most like one that is not known. */
    static Optional<String> nearest(String unknown, CommandLine command) {
        return Spelling.nearest(
                unknown,
                command.getCommandSpec().optionsMap().keySet().stream()
                        .filter(name -> name.startsWith("--") && !name.contains("_"))
                        .toList());
    }
}
