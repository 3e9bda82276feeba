/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfig;
import dev.elasticrun.agent.LaunchConfigBuilder;
import dev.elasticrun.agent.LaunchConfigException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What was given for a launch, from the strongest source that says anything: the command line, the environment, the
 * file. What is wrong is collected and does not stop the rest.
 */
final class GivenValues {
    /** Stands for a program that is not given where none is needed. */
    static final String NO_PROGRAM = "/bin/sh";

    private static final FlagSource COMMAND_LINE = new FlagSource("PROGRAM", "command line");
    private static final String PROGRAM_CHECK = "PROGRAM";

    private final Map<String, GivenValue> flags = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final @Nullable GivenValue command;

    /**
     * Collects them.
     *
     * @param commandLine the texts that the command line has for a flag
     * @param positional the program of the command line and its arguments, or nothing
     * @param file null = none is given
     */
    GivenValues(
            Function<Flag, Optional<List<String>>> commandLine,
            List<String> positional,
            Map<String, String> environment,
            @Nullable ConfigFile file) {
        if (file != null) {
            violations.addAll(file.violations());
        }
        for (Flag flag : Flags.all()) {
            Optional<GivenValue> onCommandLine =
                    commandLine.apply(flag).map(texts -> new GivenValue(FlagSource.flag(flag), texts));
            onCommandLine
                    .or(() -> inEnvironment(flag, environment))
                    .or(() -> unlessWrong(file, read -> read.given(flag)))
                    .ifPresent(value -> flags.put(flag.name(), value));
        }
        command = positional.isEmpty()
                ? unlessWrong(file, ConfigFile::command).orElse(null)
                : new GivenValue(COMMAND_LINE, positional);
    }

    private static Optional<GivenValue> inEnvironment(Flag flag, Map<String, String> environment) {
        return flag.variables().stream()
                .filter(variable -> !environment.getOrDefault(variable, "").isEmpty())
                .findFirst()
                .map(variable -> new GivenValue(FlagSource.variable(variable), List.of(environment.get(variable))));
    }

    private Optional<GivenValue> unlessWrong(
            @Nullable ConfigFile file, Function<ConfigFile, Optional<GivenValue>> reader) {
        try {
            return Optional.ofNullable(file).flatMap(reader);
        } catch (UsageException e) {
            violations.addAll(e.violations());
            return Optional.empty();
        }
    }

    /** Where the value of a flag is from. */
    FlagSource source(Flag flag) {
        GivenValue given = flags.get(flag.name());
        return given == null ? FlagSource.DEFAULT : given.source();
    }

    /** The program and its arguments, if there is one. */
    Optional<GivenValue> command() {
        return Optional.ofNullable(command);
    }

    /**
     * The configuration.
     *
     * @param needsProgram whether it is wrong that none is given
     * @throws UsageException naming all that is wrong
     */
    LaunchConfig config(boolean needsProgram) {
        List<String> texts = command().map(GivenValue::texts).orElse(List.of(needsProgram ? "" : NO_PROGRAM));
        LaunchConfigBuilder builder = LaunchConfig.builder(texts.get(0)).arguments(texts.subList(1, texts.size()));
        for (Flag flag : Flags.all()) {
            GivenValue given = flags.get(flag.name());
            if (given != null) {
                set(flag, given, builder);
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

    private void set(Flag flag, GivenValue given, LaunchConfigBuilder builder) {
        try {
            flag.binding().setter().set(builder, given.texts());
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(
                    given.source().name(), String.join(" ", wrong(flag, given)), String.valueOf(e.getMessage())));
        }
    }

    /** Of several texts those that are wrong by themselves: the others may be secrets. */
    private static List<String> wrong(Flag flag, GivenValue given) {
        List<String> wrong =
                given.texts().stream().filter(text -> !isValue(flag, text)).toList();
        return wrong.isEmpty() ? given.texts() : wrong;
    }

    private static boolean isValue(Flag flag, String text) {
        try {
            flag.binding().setter().set(LaunchConfig.builder(NO_PROGRAM), List.of(text));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The configuration's checks name flags; whoever gave the value otherwise looks for it elsewhere. */
    private String atItsSource(String violation) {
        String name = violation.split(":", 2)[0];
        Optional<String> source = name.equals(PROGRAM_CHECK)
                ? command().map(given -> given.source().name())
                : Flags.all().stream()
                        .filter(flag -> flag.option().equals(name) && flags.containsKey(flag.name()))
                        .map(flag -> source(flag).name())
                        .findFirst();
        return source.map(where -> where + violation.substring(name.length())).orElse(violation);
    }
}
