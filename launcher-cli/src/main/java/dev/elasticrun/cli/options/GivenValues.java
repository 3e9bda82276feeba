/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.torchrun.TorchrunFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The values given for a launch, each from the strongest source that has one: the command line, the environment, the file,
 * and the engine where it is asked for. Violations are collected and do not stop the rest.
 */
final class GivenValues {
    /** Stands for a program that is not given where none is needed. */
    static final String NO_PROGRAM = "/bin/sh";

    /** How violations of the program begin. */
    static final String PROGRAM_CHECK = "PROGRAM";

    private static final String TORCHRUN_VARIABLES = "PET_";

    private final CollectedValues values = new CollectedValues();
    private final TorchrunSource torchrun = new TorchrunSource(values);
    private final List<String> violations = new ArrayList<>();
    private final @Nullable GivenValue command;

    /**
     * Collects them.
     *
     * @param commandLine the texts that the command line has for a setting
     * @param torchrunFlags the same for a flag of torchrun that is no setting
     * @param positional the program of the command line and its arguments, or nothing
     * @param file null = none is given
     */
    GivenValues(
            Function<Setting<?>, Optional<List<String>>> commandLine,
            Function<TorchrunFlag, Optional<List<String>>> torchrunFlags,
            List<String> positional,
            Map<String, String> environment,
            @Nullable ConfigFile file) {
        if (file != null) {
            values.violate(file.violations());
        }
        values.addAll(setting -> commandLine.apply(setting).map(texts -> GivenValue.ofFlag(setting.option(), texts)));
        torchrun.addFlags(torchrunFlags);
        values.addAll(setting -> inEnvironment(setting, environment, false));
        values.addAll(setting -> inEnvironment(setting, environment, true));
        torchrun.addVariables(environment);
        values.addAll(setting -> unlessWrong(file, read -> read.given(setting)));
        torchrun.meet();
        command = positional.isEmpty()
                ? unlessWrong(file, ConfigFile::command).orElse(null)
                : new GivenValue(PROGRAM_CHECK, "command line", positional);
        violations.addAll(values.violations());
    }

    /** Adds what the engine that started this process gives, where nothing else has a value. */
    GivenValues withEngine(Map<String, String> environment) {
        EngineSource.add(values, environment);
        return this;
    }

    private static Optional<GivenValue> inEnvironment(
            Setting<?> setting, Map<String, String> environment, boolean ofTorchrun) {
        return setting.variables().stream()
                .filter(variable -> variable.startsWith(TORCHRUN_VARIABLES) == ofTorchrun)
                .filter(variable -> !environment.getOrDefault(variable, "").isEmpty())
                .findFirst()
                .map(variable -> GivenValue.ofVariable(variable, environment.getOrDefault(variable, "")));
    }

    private Optional<GivenValue> unlessWrong(
            @Nullable ConfigFile file, Function<ConfigFile, Optional<GivenValue>> reader) {
        try {
            return Optional.ofNullable(file).flatMap(reader);
        } catch (UsageException e) {
            values.violate(e.violations());
            return Optional.empty();
        }
    }

    /** Where the value of a setting is from. */
    String origin(Setting<?> setting) {
        return find(setting).map(GivenValue::origin).orElse("default");
    }

    /** Whether any source has a value of a setting. */
    boolean isGiven(Setting<?> setting) {
        return find(setting).isPresent();
    }

    /** The value of a setting, if any source has one. */
    Optional<GivenValue> find(Setting<?> setting) {
        return values.find(setting);
    }

    /** What of torchrun has no effect here, and why: a sentence each that begins with its name. */
    List<String> noEffect() {
        return torchrun.noEffect();
    }

    /** What of torchrun has another name or meaning here: a sentence each. */
    List<String> notes() {
        return torchrun.notes();
    }

    /** The values as flags, in the order of the table. */
    List<String> flags() {
        List<String> flags = new ArrayList<>();
        for (Setting<?> setting : Settings.all()) {
            find(setting).ifPresent(given -> {
                if (setting.kind().takesValue()) {
                    given.texts().forEach(text -> flags.add(setting.option() + "=" + text));
                } else if (!given.last().equals("false")) {
                    flags.add(setting.option());
                }
            });
        }
        return flags;
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
        set(setting -> true, builder);
        return build(builder, name -> true).orElseThrow();
    }

    /** Gives a builder the values of some settings; what is wrong with them by themselves is named by {@link #check}. */
    void set(Predicate<Setting<?>> settings, LaunchConfigBuilder builder) {
        Settings.all().stream().filter(settings).forEach(setting -> find(setting)
                .ifPresent(given -> set(setting, given, builder)));
    }

    private void set(Setting<?> setting, GivenValue given, LaunchConfigBuilder builder) {
        try {
            builder.setTexts(setting, given.texts());
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(
                    given.name(), String.join(" ", wrong(setting, given)), String.valueOf(e.getMessage())));
        }
    }

    /**
     * What a builder makes of the values.
     *
     * @param counts whether it counts that the setting, or the check, of this name is violated
     * @return empty = what is violated does not count
     * @throws UsageException naming all that is wrong
     */
    Optional<LaunchConfig> build(LaunchConfigBuilder builder, Predicate<String> counts) {
        Optional<LaunchConfig> config = Optional.empty();
        try {
            config = Optional.of(builder.build());
        } catch (LaunchConfigException e) {
            String.valueOf(e.getMessage())
                    .lines()
                    .filter(violation -> counts.test(nameIn(violation)))
                    .map(this::atItsSource)
                    .forEach(violations::add);
        }
        check();
        return config;
    }

    /** @throws UsageException naming all that was found wrong until now */
    void check() {
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
    }

    /** Of several texts those that are wrong by themselves: the others may be secrets. */
    private static List<String> wrong(Setting<?> setting, GivenValue given) {
        List<String> wrong = given.texts().stream()
                .filter(text -> !CollectedValues.isValue(setting, text))
                .toList();
        return wrong.isEmpty() ? given.texts() : wrong;
    }

    private static String nameIn(String violation) {
        return violation.split(":", 2)[0];
    }

    // The configuration's checks name flags; the message has to name the source that the value came from.
    private String atItsSource(String violation) {
        String name = nameIn(violation);
        Optional<GivenValue> source = name.equals(PROGRAM_CHECK)
                ? command()
                : Settings.all().stream()
                        .filter(setting -> setting.option().equals(name))
                        .flatMap(setting -> find(setting).stream())
                        .findFirst();
        return source.map(where -> where.name() + violation.substring(name.length()))
                .orElse(violation);
    }
}
