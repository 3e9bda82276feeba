/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli;

import dev.elasticrun.agent.LaunchConfig;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

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

    /** Both directions between texts and configuration. */
    record Binding(Setter setter, Function<LaunchConfig, List<String>> reader) {}

    /** Puts the texts, at least one, into the configuration; throws as {@link FlagValues} does. */
    @FunctionalInterface
    interface Setter {
        void set(LaunchConfig.Builder builder, List<String> texts);
    }

    /** As {@link Setter} for a flag where the last one given wins. */
    @FunctionalInterface
    interface TextSetter {
        void set(LaunchConfig.Builder builder, String text);
    }

    static Flag of(
            String name, String label, String help, TextSetter setter, Function<LaunchConfig, List<String>> reader) {
        return many(name, label, help, (builder, texts) -> setter.set(builder, texts.get(texts.size() - 1)), reader);
    }

    static Flag many(
            String name, String label, String help, Setter setter, Function<LaunchConfig, List<String>> reader) {
        return new Flag(name, "", label, help, "", "", new Binding(setter, reader));
    }

    Flag orElse(String value) {
        return new Flag(name, alias, label, help, value, torchrun, binding);
    }

    Flag alsoCalled(String other) {
        return new Flag(name, other, label, help, fallback, torchrun, binding);
    }

    /** @param theirs torchrun's name, which is that of this flag but for one */
    Flag asInTorchrun(String theirs) {
        return new Flag(name, alias, label, help, fallback, theirs, binding);
    }

    boolean takesValue() {
        return !label.isEmpty();
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

    private static String variable(String prefix, String flag) {
        return prefix + flag.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
