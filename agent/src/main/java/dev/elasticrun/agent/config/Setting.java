/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One setting of an agent. Flag, variables, key in a file, default, check and help follow from it. Immutable.
 *
 * @param name of the flag, without the leading dashes; also the key in a file
 * @param aliases its other names
 * @param kind type and format of its values
 * @param help for the help text and the docs; names a default that is not one text
 * @param fallback its value if none is given
 * @param check condition on a single value
 * @param toWorkers how workers receive it; empty = they do not, or not unchanged
 */
public record Setting<T>(
        String name,
        Aliases aliases,
        SettingKind<T> kind,
        String help,
        Fallback<T> fallback,
        Check<T> check,
        Optional<Export<T>> toWorkers) {

    /**
     * Other names.
     *
     * @param own another name of the flag; empty = none
     * @param torchrun torchrun's name of the flag, whose PET variable is read, too; empty = it has none
     * @param letter of its short form, as in {@code -m}; empty = it has none
     */
    public record Aliases(String own, String torchrun, String letter) {}

    /**
     * A default.
     *
     * @param text as the user would type it; empty = the help names it, or there is none
     * @param value empty = there is none
     */
    public record Fallback<T>(String text, Supplier<Optional<T>> value) {}

    /** A condition, and the text that states what is expected of a value that does not meet it. */
    public record Check<T>(Predicate<T> holds, String expected) {}

    /** A variable of workers, by its name in WorkerEnv, and its text. */
    public record Export<T>(String variable, Function<T, String> text) {}

    Setting<T> orElse(Fallback<T> other) {
        return new Setting<>(name, aliases, kind, help, other, check, toWorkers);
    }

    /** A default that depends on where the agent runs; the help names it. */
    Setting<T> orElse(Supplier<T> value) {
        return orElse(new Fallback<>("", () -> Optional.of(value.get())));
    }

    Setting<T> alsoCalled(String other) {
        return called(new Aliases(other, aliases.torchrun(), aliases.letter()));
    }

    /** Torchrun has a setting of the same name. */
    Setting<T> asInTorchrun() {
        return asInTorchrun(name);
    }

    Setting<T> asInTorchrun(String theirs) {
        return called(new Aliases(aliases.own(), theirs, aliases.letter()));
    }

    /** It has a short form. */
    Setting<T> shortened(String letter) {
        return called(new Aliases(aliases.own(), aliases.torchrun(), letter));
    }

    private Setting<T> called(Aliases others) {
        return new Setting<>(name, others, kind, help, fallback, check, toWorkers);
    }

    Setting<T> must(Predicate<T> holds, String expected) {
        return new Setting<>(name, aliases, kind, help, fallback, new Check<>(holds, expected), toWorkers);
    }

    Setting<T> toWorkers(String variable, Function<T, String> text) {
        return new Setting<>(name, aliases, kind, help, fallback, check, Optional.of(new Export<>(variable, text)));
    }

    /** As on the command line. */
    public String option() {
        return "--" + name;
    }

    /** Its short form on the command line; empty = it has none. */
    public Optional<String> letter() {
        return Optional.of(aliases.letter()).filter(letter -> !letter.isEmpty()).map(letter -> "-" + letter);
    }

    /** Its own name and, if it has one, the other. */
    public List<String> names() {
        return aliases.own().isEmpty() ? List.of(name) : List.of(name, aliases.own());
    }

    /** Environment variables that set it; the first one that is set wins. */
    public List<String> variables() {
        Stream<String> theirs =
                aliases.torchrun().isEmpty() ? Stream.of() : Stream.of(variable("PET_", aliases.torchrun()));
        return Stream.concat(names().stream().map(own -> variable("ELASTICRUN_", own)), theirs)
                .toList();
    }

    private static String variable(String prefix, String flag) {
        return prefix + flag.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** The line that states what is wrong with its value by itself, if anything is. */
    Stream<String> violation(SettingValues values) {
        return values.find(this).filter(value -> !check.holds().test(value)).stream()
                .map(value -> option() + ": " + shown(value) + " (expected: " + check.expected() + ")");
    }

    private static Object shown(Object value) {
        if (value instanceof Duration time) {
            return SettingTexts.text(time);
        }
        return value instanceof String ? "'" + value + "'" : value;
    }

    /** Each setting is one object. */
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return option();
    }
}
