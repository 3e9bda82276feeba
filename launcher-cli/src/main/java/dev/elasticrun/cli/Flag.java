/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfig;
import dev.elasticrun.agent.LaunchConfigBuilder;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A flag of {@code elastic-run} and the builder call that it stands for.
 *
 * @param name without the leading dashes
 * @param alias another name; empty = none
 * @param label what the value looks like; empty = the flag takes none
 * @param help one sentence
 * @param fallback the default as the user would type it; empty = said in {@code help}
 * @param torchrun torchrun's name of the flag, whose PET variable is read, too; empty = it has none
 */
record Flag(String name, String alias, String label, String help, String fallback, String torchrun, Binding binding) {
    static final String ASSIGNMENT = "NAME=VALUE";

    /**
     * Both directions between texts and configuration.
     *
     * @param joiner the texts that a list in a file stands for; throws as {@link FlagValues} does
     */
    record Binding(
            Setter setter, Function<LaunchConfig, List<String>> reader, Function<List<String>, List<String>> joiner) {}

    /** Puts the texts, at least one, into the configuration; throws as {@link FlagValues} does. */
    @FunctionalInterface
    interface Setter {
        void set(LaunchConfigBuilder builder, List<String> texts);
    }

    /** A flag that always has a value; of several the last one given wins. */
    static <T> Flag of(
            String name,
            String label,
            String help,
            FlagKind<T> kind,
            BiConsumer<LaunchConfigBuilder, T> setter,
            Function<LaunchConfig, T> reader) {
        return ifGiven(name, label, help, kind, setter, reader.andThen(Optional::of));
    }

    /** A flag whose value may be absent. */
    static <T> Flag ifGiven(
            String name,
            String label,
            String help,
            FlagKind<T> kind,
            BiConsumer<LaunchConfigBuilder, T> setter,
            Function<LaunchConfig, Optional<T>> reader) {
        return new Flag(
                name,
                "",
                label,
                help,
                "",
                "",
                new Binding(
                        (builder, texts) -> setter.accept(builder, kind.parse().apply(texts.get(texts.size() - 1))),
                        config ->
                                reader.apply(config).map(kind.print()).stream().toList(),
                        items -> List.of(kind.join().apply(items))));
    }

    /** A flag whose value is several in one text; absent if there are none. */
    static <T extends Collection<?>> Flag ifAny(
            String name,
            String label,
            String help,
            FlagKind<T> kind,
            BiConsumer<LaunchConfigBuilder, T> setter,
            Function<LaunchConfig, T> reader) {
        return ifGiven(name, label, help, kind, setter, config -> Optional.of(reader.apply(config))
                .filter(values -> !values.isEmpty()));
    }

    /** A flag without a value: it is in the command line or not. */
    static Flag yes(
            String name, String help, BiConsumer<LaunchConfigBuilder, Boolean> setter, Predicate<LaunchConfig> reader) {
        FlagKind<Boolean> kind = new FlagKind<>(FlagValues::yesOrNo, String::valueOf);
        return ifGiven(name, "", help, kind, setter, config -> Optional.of(true).filter(yes -> reader.test(config)));
    }

    /** A flag that may be given several times. */
    static Flag many(
            String name, String label, String help, Setter setter, Function<LaunchConfig, List<String>> reader) {
        return new Flag(name, "", label, help, "", "", new Binding(setter, reader, texts -> texts));
    }

    Flag orElse(String value) {
        return new Flag(name, alias, label, help, value, torchrun, binding);
    }

    Flag alsoCalled(String other) {
        return new Flag(name, other, label, help, fallback, torchrun, binding);
    }

    /** Torchrun has it by the same name. */
    Flag asInTorchrun() {
        return asInTorchrun(name);
    }

    /** @param theirs torchrun's name */
    Flag asInTorchrun(String theirs) {
        return new Flag(name, alias, label, help, fallback, theirs, binding);
    }

    boolean takesValue() {
        return !label.isEmpty();
    }

    /** Each of its texts gives a name its value. */
    boolean takesAssignments() {
        return label.equals(ASSIGNMENT);
    }

    String option() {
        return "--" + name;
    }

    /** Environment variables that set the default, the first one that is set wins. */
    List<String> variables() {
        String own = variable("ELASTICRUN_", name);
        String other = alias.isEmpty() ? own : variable("ELASTICRUN_", alias);
        String theirs = torchrun.isEmpty() ? own : variable("PET_", torchrun);
        return List.of(own, other, theirs).stream().distinct().toList();
    }

    static String variable(String prefix, String flag) {
        return prefix + flag.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
