/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The values of all settings: those that were given, else their defaults. Immutable.
 *
 * @param given each of the type that its setting specifies
 */
public record SettingValues(Map<Setting<?>, Object> given) {
    /** All defaults. */
    public static final SettingValues DEFAULTS = new SettingValues(Map.of());

    public SettingValues {
        given = Map.copyOf(given);
    }

    public <T> SettingValues with(Setting<T> setting, T value) {
        Map<Setting<?>, Object> more = new HashMap<>(given);
        more.put(setting, Objects.requireNonNull(value, setting.name()));
        return new SettingValues(more);
    }

    /**
     * The same with a value that is given as texts.
     *
     * @param texts at least one; of a setting with one value the last counts
     * @throws IllegalArgumentException whose message states what is expected
     */
    public <T> SettingValues withTexts(Setting<T> setting, List<String> texts) {
        return with(setting, setting.kind().parse(texts));
    }

    /** The value of a setting that has a default; throws NoSuchElementException if it has none and none is given. */
    public <T> T get(Setting<T> setting) {
        return find(setting).orElseThrow();
    }

    /** The value of a setting; empty = none is given, and it has no default. */
    @SuppressWarnings("unchecked") // with() puts nothing else.
    public <T> Optional<T> find(Setting<T> setting) {
        T value = (T) given.get(setting);
        return value == null ? setting.fallback().value().get() : Optional.of(value);
    }

    /** The value as texts, from which it is read again; none = it is not set. */
    public <T> List<String> texts(Setting<T> setting) {
        return find(setting).map(setting.kind()::print).orElse(List.of());
    }

    /** What is wrong with values by themselves, a line each, in the order of the table. */
    public List<String> violations() {
        return Settings.all().stream()
                .flatMap(setting -> setting.violation(this))
                .toList();
    }

    /** The variables that workers get as they are. */
    public Map<String, String> toWorkers() {
        Map<String, String> variables = new HashMap<>();
        Settings.all().forEach(setting -> export(setting, variables));
        return variables;
    }

    private <T> void export(Setting<T> setting, Map<String, String> variables) {
        setting.toWorkers().ifPresent(export -> find(setting)
                .ifPresent(
                        value -> variables.put(export.variable(), export.text().apply(value))));
    }

    /** What was given; of the environment only the names: values may be secrets. */
    @Override
    public String toString() {
        return Settings.all().stream()
                .filter(given::containsKey)
                .map(setting -> setting + "=" + (setting.equals(Settings.ENV) ? names() : texts(setting)))
                .collect(Collectors.joining(", "));
    }

    private Object names() {
        return get(Settings.ENV).keySet();
    }
}
