/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import dev.elasticrun.agent.launch.LaunchConfigException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects the values given for a launch, each from the strongest source that has one: the command line, the
 * environment, the file. Violations are collected and do not stop the rest.
 */
final class GivenValues {
    /** Stands for a program that is not given where none is needed. */
    static final String NO_PROGRAM = "/bin/sh";

    private static final String PROGRAM_CHECK = "PROGRAM";

    /**
     * The values given for a setting, and their source.
     *
     * @param name how a message about the value begins
     * @param origin the source, human-readable
     * @param texts at least one
     */
    record Given(String name, String origin, List<String> texts) {
        Given {
            texts = List.copyOf(texts);
        }
    }

    private final Map<Setting<?>, Given> values = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final @Nullable Given command;

    /**
     * Collects them.
     *
     * @param commandLine the texts that the command line has for a setting
     * @param positional the program of the command line and its arguments, or nothing
     * @param file null = none is given
     */
    GivenValues(
            Function<Setting<?>, Optional<List<String>>> commandLine,
            List<String> positional,
            Map<String, String> environment,
            @Nullable ConfigFile file) {
        if (file != null) {
            violations.addAll(file.violations());
        }
        for (Setting<?> setting : Settings.all()) {
            String option = setting.option();
            commandLine
                    .apply(setting)
                    .map(texts -> new Given(option, "flag " + option, texts))
                    .or(() -> inEnvironment(setting, environment))
                    .or(() -> unlessWrong(file, read -> read.given(setting)))
                    .ifPresent(value -> values.put(setting, value));
        }
        command = positional.isEmpty()
                ? unlessWrong(file, ConfigFile::command).orElse(null)
                : new Given(PROGRAM_CHECK, "command line", positional);
    }

    private static Optional<Given> inEnvironment(Setting<?> setting, Map<String, String> environment) {
        return setting.variables().stream()
                .filter(variable -> !environment.getOrDefault(variable, "").isEmpty())
                .findFirst()
                .map(variable -> new Given(variable, "variable " + variable, List.of(environment.get(variable))));
    }

    private Optional<Given> unlessWrong(@Nullable ConfigFile file, Function<ConfigFile, Optional<Given>> reader) {
        try {
            return Optional.ofNullable(file).flatMap(reader);
        } catch (UsageException e) {
            violations.addAll(e.violations());
            return Optional.empty();
        }
    }

    /** Where the value of a setting is from. */
    String origin(Setting<?> setting) {
        Given given = values.get(setting);
        return given == null ? "default" : given.origin();
    }

    /** Whether any source has a value of a setting. */
    boolean isGiven(Setting<?> setting) {
        return values.containsKey(setting);
    }

    /** The program and its arguments, if there is one. */
    Optional<Given> command() {
        return Optional.ofNullable(command);
    }

    /**
     * The configuration.
     *
     * @param needsProgram whether it is wrong that none is given
     * @throws UsageException naming all that is wrong
     */
    LaunchConfig config(boolean needsProgram) {
        List<String> texts = command().map(Given::texts).orElse(List.of(needsProgram ? "" : NO_PROGRAM));
        LaunchConfigBuilder builder = LaunchConfig.builder(texts.get(0)).arguments(texts.subList(1, texts.size()));
        for (Setting<?> setting : Settings.all()) {
            Given given = values.get(setting);
            if (given != null) {
                set(setting, given, builder);
            }
        }
        try {
            LaunchConfig config = builder.build();
            if (violations.isEmpty()) {
                return config;
            }
        } catch (LaunchConfigException e) {
            String.valueOf(e.getMessage()).lines().map(this::atItsSource).forEach(violations::add);
        }
        throw new UsageException(violations);
    }

    private void set(Setting<?> setting, Given given, LaunchConfigBuilder builder) {
        try {
            builder.setTexts(setting, given.texts());
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(
                    given.name(), String.join(" ", wrong(setting, given)), String.valueOf(e.getMessage())));
        }
    }

    /** Of several texts those that are wrong by themselves: the others may be secrets. */
    private static List<String> wrong(Setting<?> setting, Given given) {
        List<String> wrong =
                given.texts().stream().filter(text -> !isValue(setting, text)).toList();
        return wrong.isEmpty() ? given.texts() : wrong;
    }

    private static boolean isValue(Setting<?> setting, String text) {
        try {
            setting.kind().parse(List.of(text));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    // The configuration's checks name flags; the message has to name the source that the value came from.
    private String atItsSource(String violation) {
        String name = violation.split(":", 2)[0];
        Optional<Given> source = name.equals(PROGRAM_CHECK)
                ? command()
                : Settings.all().stream()
                        .filter(setting -> setting.option().equals(name) && values.containsKey(setting))
                        .map(values::get)
                        .findFirst();
        return source.map(where -> where.name() + violation.substring(name.length()))
                .orElse(violation);
    }
}
