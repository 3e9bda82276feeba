/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfig;
import dev.elasticrun.agent.LaunchConfigBuilder;
import dev.elasticrun.agent.LaunchConfigException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** Command line and environment to {@link LaunchConfig}, and back. Pure but for the checks of the configuration. */
final class LaunchOptions {
    private LaunchOptions() {}

    /**
     * What the command is to do.
     *
     * @param page a page of help to show instead of running anything
     */
    record Parsed(Optional<HelpPage> page, Optional<LaunchConfig> config, boolean verbose) {}

    /** @throws UsageException naming all that is wrong */
    static Parsed parse(List<String> arguments, Map<String, String> environment) {
        ParseResult parsed = CommandModel.parse(CommandModel.run(), arguments);
        if (parsed.hasMatchedOption("--help")) {
            return new Parsed(Optional.of(HelpPage.RUN), Optional.empty(), false);
        }
        if (parsed.hasMatchedOption("--version")) {
            return new Parsed(Optional.of(HelpPage.VERSION), Optional.empty(), false);
        }
        List<String> violations = new ArrayList<>();
        List<String> command = parsed.matchedPositionalValue(0, List.<String>of());
        String program = command.isEmpty() ? "" : command.get(0);
        LaunchConfigBuilder builder = LaunchConfig.builder(program);
        if (!command.isEmpty()) {
            builder.arguments(command.subList(1, command.size()));
        }
        for (Flag flag : Flags.all()) {
            OptionSpec option = parsed.matchedOption(flag.option());
            if (option != null) {
                List<String> values = option.stringValues();
                set(flag, builder, flag.option(), flag.takesValue() ? values : List.of("true"), violations);
            } else {
                fromEnvironment(flag, builder, environment, violations);
            }
        }
        Optional<LaunchConfig> config = build(builder, violations);
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
        return new Parsed(Optional.empty(), config, parsed.hasMatchedOption("--verbose"));
    }

    private static void fromEnvironment(
            Flag flag, LaunchConfigBuilder builder, Map<String, String> environment, List<String> violations) {
        for (String variable : flag.variables()) {
            String value = environment.getOrDefault(variable, "");
            if (!value.isEmpty()) {
                set(flag, builder, variable, List.of(value), violations);
                return;
            }
        }
    }

    private static void set(
            Flag flag, LaunchConfigBuilder builder, String source, List<String> texts, List<String> violations) {
        try {
            flag.binding().setter().set(builder, texts);
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(source, String.join(" ", texts), String.valueOf(e.getMessage())));
        }
    }

    private static Optional<LaunchConfig> build(LaunchConfigBuilder builder, List<String> violations) {
        try {
            return Optional.of(builder.build());
        } catch (LaunchConfigException e) {
            violations.addAll(String.valueOf(e.getMessage()).lines().toList());
            return Optional.empty();
        }
    }

    /** The command line of a configuration; where it takes the default there is no flag. */
    static List<String> arguments(LaunchConfig config) {
        LaunchConfig plain = LaunchConfig.builder(config.program()).build();
        List<String> arguments = new ArrayList<>();
        for (Flag flag : Flags.all()) {
            List<String> texts = flag.binding().reader().apply(config);
            if (!texts.equals(flag.binding().reader().apply(plain))) {
                texts.forEach(text -> arguments.add(flag.takesValue() ? flag.option() + "=" + text : flag.option()));
            }
        }
        arguments.add("--");
        arguments.add(config.program());
        arguments.addAll(config.arguments());
        return arguments;
    }

    /** The known name that is most like one that is not known. */
    static Optional<String> nearest(String unknown, CommandLine command) {
        return command.getCommandSpec().optionsMap().keySet().stream()
                .filter(name -> name.startsWith("--") && !name.contains("_"))
                .min(Comparator.comparingInt((String name) -> Spelling.distance(unknown, name))
                        .thenComparing(name -> name))
                .filter(name -> Spelling.distance(unknown, name) <= Math.max(2, unknown.length() / 3));
    }
}
