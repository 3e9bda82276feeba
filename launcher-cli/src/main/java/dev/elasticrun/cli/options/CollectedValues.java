/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Values of settings while they are collected from their sources, the strongest first: what is there stays. */
final class CollectedValues {
    private final Map<Setting<?>, GivenValue> values = new HashMap<>();
    private final List<String> violations = new ArrayList<>();

    /** Asks a source for each setting that has no value yet. */
    void addAll(Function<Setting<?>, Optional<GivenValue>> source) {
        for (Setting<?> setting : Settings.all()) {
            if (!values.containsKey(setting)) {
                source.apply(setting).ifPresent(given -> values.put(setting, given));
            }
        }
    }

    void add(Setting<?> setting, GivenValue given) {
        values.putIfAbsent(setting, given);
    }

    /** Whatever is there. */
    void replace(Setting<?> setting, GivenValue given) {
        values.put(setting, given);
    }

    void remove(Setting<?> setting) {
        values.remove(setting);
    }

    void violate(String name, String value, String expected) {
        violations.add(UsageException.line(name, value, expected));
    }

    void violate(List<String> lines) {
        violations.addAll(lines);
    }

    Optional<GivenValue> find(Setting<?> setting) {
        return Optional.ofNullable(values.get(setting));
    }

    Optional<String> last(Setting<?> setting) {
        return find(setting).map(GivenValue::last);
    }

    /** Whether a switch is on; one whose text is no value is off. */
    boolean isOn(Setting<Boolean> setting) {
        return find(setting)
                .filter(given -> isValue(setting, given.last()))
                .map(given -> setting.kind().parse(given.texts()))
                .orElse(false);
    }

    /** Whether there is a text that is no value of its setting. */
    boolean isWrong(Setting<?> setting) {
        return last(setting).filter(text -> !isValue(setting, text)).isPresent();
    }

    static boolean isValue(Setting<?> setting, String text) {
        try {
            setting.kind().parse(List.of(text));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    List<String> violations() {
        return List.copyOf(violations);
    }
}
