/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import dev.elasticrun.agent.launch.LaunchConfig;
import dev.elasticrun.agent.launch.LaunchConfigBuilder;
import dev.elasticrun.agent.launch.LaunchConfigException;
import dev.elasticrun.cli.engine.Engine;
import dev.elasticrun.cli.torchrun.MeetingPlace;
import dev.elasticrun.cli.torchrun.TorchrunFlag;
import dev.elasticrun.cli.torchrun.Translation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
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

        /** The one that counts where a setting has one value. */
        String last() {
            return texts.get(texts.size() - 1);
        }
    }

    private static final String TORCHRUN_VARIABLES = "PET_";

    private final Map<Setting<?>, Given> values = new HashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> noEffect = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final @Nullable Given command;

    /**
     * Collects them.
     *
     * @param commandLine the texts that the command line has for a setting
     * @param torchrun the same for a flag of torchrun that is no setting
     * @param positional the program of the command line and its arguments, or nothing
     * @param file null = none is given
     */
    GivenValues(
            Function<Setting<?>, Optional<List<String>>> commandLine,
            Function<TorchrunFlag, Optional<List<String>>> torchrun,
            List<String> positional,
            Map<String, String> environment,
            @Nullable ConfigFile file) {
        if (file != null) {
            violations.addAll(file.violations());
        }
        // The strongest source first.
        addSettings(setting -> commandLine
                .apply(setting)
                .map(texts -> new Given(setting.option(), "flag " + setting.option(), texts)));
        Map<TorchrunFlag, Given> theirs = new EnumMap<>(TorchrunFlag.class);
        for (TorchrunFlag flag : TorchrunFlag.values()) {
            torchrun.apply(flag)
                    .map(texts -> new Given(flag.option(), "flag " + flag.option(), texts))
                    .ifPresent(given -> theirs.put(flag, given));
        }
        theirs.forEach(this::translate);
        addSettings(setting -> inEnvironment(setting, environment, false));
        addSettings(setting -> inEnvironment(setting, environment, true));
        for (TorchrunFlag flag : TorchrunFlag.values()) {
            String variable = flag.variable();
            String text = environment.getOrDefault(variable, "");
            if (!text.isEmpty() && !theirs.containsKey(flag) && isOn(flag, variable, text)) {
                Given given = new Given(variable, "variable " + variable, List.of(text));
                theirs.put(flag, given);
                translate(flag, given);
            }
        }
        addSettings(setting -> unlessWrong(file, read -> read.given(setting)));
        meet(theirs);
        addEngine(environment);
        command = positional.isEmpty()
                ? unlessWrong(file, ConfigFile::command).orElse(null)
                : new Given(PROGRAM_CHECK, "command line", positional);
    }

    private void addSettings(Function<Setting<?>, Optional<Given>> source) {
        for (Setting<?> setting : Settings.all()) {
            if (!values.containsKey(setting)) {
                source.apply(setting).ifPresent(given -> values.put(setting, given));
            }
        }
    }

    /** What the engine that started this process gives: the weakest source before the defaults. */
    private void addEngine(Map<String, String> environment) {
        Optional<Engine> engine = isWrong(Settings.ENGINE)
                ? Optional.empty()
                : Engine.chosen(
                        last(Settings.ENGINE).orElse(Settings.ENGINE.fallback().text()), environment);
        boolean meetsOthers = isGiven(Settings.RDZV_ENDPOINT) && !isOn(Settings.STANDALONE);
        boolean isNamed = isGiven(Settings.RUN_ID);
        engine.ifPresent(known -> known.values(environment, meetsOthers).forEach((setting, value) -> {
            Given given = new Given(
                    value.variable(),
                    "engine " + known.text() + ", variable " + value.variable(),
                    List.of(value.text()));
            values.putIfAbsent(setting, given);
            if (setting.equals(Settings.RUN_ID) && !isNamed) {
                // The engine may start agents again after the end.
                values.putIfAbsent(Settings.ONCE, new Given(given.name(), given.origin(), List.of("true")));
            }
        }));
    }

    private void translate(TorchrunFlag flag, Given given) {
        try {
            add(flag.translate(given.last()), given, flag.option());
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(given.name(), given.last(), String.valueOf(e.getMessage())));
        }
    }

    // A flag that is given by a variable has that name.
    private void add(Translation translation, Given from, String option) {
        translation
                .values()
                .forEach((setting, text) ->
                        values.putIfAbsent(setting, new Given(from.name(), from.origin(), List.of(text))));
        translation.noEffect().forEach(remark -> noEffect.add(remark.replace(option, from.name())));
        translation.notes().forEach(note -> notes.add(note.replace(option, from.name())));
    }

    private boolean isOn(TorchrunFlag flag, String variable, String text) {
        if (!flag.label().isEmpty()) {
            return true;
        }
        try {
            return Settings.STANDALONE.kind().parse(List.of(text));
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(variable, text, String.valueOf(e.getMessage())));
            return false;
        }
    }

    /** What torchrun's backends stand for takes the place of what was given for them. */
    private void meet(Map<TorchrunFlag, Given> theirs) {
        Translation place = new MeetingPlace(
                        last(Settings.RDZV_BACKEND),
                        last(Settings.RDZV_ENDPOINT),
                        Optional.ofNullable(theirs.get(TorchrunFlag.MASTER_ADDR))
                                .map(Given::last),
                        Optional.ofNullable(theirs.get(TorchrunFlag.MASTER_PORT))
                                .map(Given::last),
                        last(Settings.NODE_RANK),
                        last(Settings.NNODES),
                        isOn(Settings.STANDALONE),
                        isGiven(Settings.RUN_ID))
                .translate();
        place.values().forEach((setting, text) -> {
            if (text.equals(Translation.NO_VALUE)) {
                values.remove(setting);
                return;
            }
            Given source = Stream.of(
                            values.get(setting),
                            values.get(Settings.RDZV_BACKEND),
                            theirs.get(TorchrunFlag.MASTER_ADDR),
                            theirs.get(TorchrunFlag.MASTER_PORT),
                            values.get(Settings.NODE_RANK))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElseThrow();
            values.put(setting, new Given(source.name(), source.origin(), List.of(text)));
        });
        noEffect.addAll(place.noEffect());
        notes.addAll(place.notes());
        place.wrong()
                .forEach(wrong -> violations.add(UsageException.line(wrong.name(), wrong.value(), wrong.expected())));
    }

    private Optional<String> last(Setting<?> setting) {
        return Optional.ofNullable(values.get(setting)).map(Given::last);
    }

    private boolean isOn(Setting<Boolean> setting) {
        Given given = values.get(setting);
        return given != null && isValue(setting, given.last()) && setting.kind().parse(given.texts());
    }

    private boolean isWrong(Setting<?> setting) {
        return last(setting).filter(text -> !isValue(setting, text)).isPresent();
    }

    private static Optional<Given> inEnvironment(
            Setting<?> setting, Map<String, String> environment, boolean torchrun) {
        return setting.variables().stream()
                .filter(variable -> variable.startsWith(TORCHRUN_VARIABLES) == torchrun)
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

    /** What of torchrun has no effect here, and why: a sentence each that begins with its name. */
    List<String> noEffect() {
        return List.copyOf(noEffect);
    }

    /** What of torchrun has another name or meaning here: a sentence each. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /**
     * The values as flags, in the order of the table.
     *
     * @throws UsageException naming all that is wrong with them by themselves
     */
    List<String> flags() {
        LaunchConfigBuilder builder = LaunchConfig.builder(NO_PROGRAM);
        List<String> flags = new ArrayList<>();
        for (Setting<?> setting : Settings.all()) {
            Given given = values.get(setting);
            if (given == null) {
                continue;
            }
            set(setting, given, builder);
            if (setting.kind().takesValue()) {
                given.texts().forEach(text -> flags.add(setting.option() + "=" + text));
            } else if (!given.last().equals("false")) {
                flags.add(setting.option());
            }
        }
        if (!violations.isEmpty()) {
            throw new UsageException(violations);
        }
        return flags;
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
