/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.options;

import dev.elasticrun.agent.config.Setting;
import dev.elasticrun.agent.config.SettingKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A file with the values of flags, in YAML or JSON. Keys are the flags' names without dashes, {@code program} and {@code
 * arguments}.
 */
final class ConfigFile {
    /** The file, a value in it, and an item of that. */
    private static final int DEPTH = 3;

    private final String name;
    private final Map<String, ConfigNode.Key> keys = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();

    private ConfigFile(String name, ConfigNode root) {
        this.name = name;
        if (root instanceof ConfigNode.Keys mapping) {
            mapping.keys().forEach(this::add);
        } else if (!(root instanceof ConfigNode.Nothing)) {
            violations.add(UsageException.line(at(root.line()), "no keys", "names of flags, each with its value"));
        }
    }

    /**
     * Reads the file.
     *
     * @param source names the file: a flag or a variable
     * @throws UsageException if it cannot be read, or is neither YAML nor JSON
     */
    static ConfigFile read(String source, String file) {
        return new ConfigFile(file, ConfigText.read(source, file, DEPTH));
    }

    private void add(ConfigNode.Key key) {
        String canonical = ConfigKeys.canonical(key.name());
        String where = where(key);
        if (canonical.isEmpty()) {
            violations.add(ConfigKeys.unknown(where, key.name()));
            return;
        }
        ConfigNode.Key earlier = keys.putIfAbsent(canonical, key);
        if (earlier != null) {
            violations.add(UsageException.line(
                    where, "given again", "once; " + earlier.name() + " is in line " + earlier.line()));
        }
    }

    /** Keys that are none, or that are there twice; one line each. */
    List<String> violations() {
        return List.copyOf(violations);
    }

    /**
     * The values that the file has for a setting.
     *
     * @throws UsageException if they are neither a value of the setting nor a list of them
     */
    Optional<GivenValue> given(Setting<?> setting) {
        return Optional.ofNullable(keys.get(setting.name()))
                .map(key -> given(key, convert(key, value -> texts(value, setting.kind()))));
    }

    /**
     * The program, and after it its arguments.
     *
     * @throws UsageException if the one is no text, or the others are no list of texts
     */
    Optional<GivenValue> command() {
        ConfigNode.Key program = keys.get(ConfigKeys.PROGRAM);
        if (program == null) {
            return Optional.empty();
        }
        List<String> command = new ArrayList<>();
        command.add(convert(program, ConfigFile::text));
        ConfigNode.Key arguments = keys.get(ConfigKeys.ARGUMENTS);
        if (arguments != null) {
            command.addAll(convert(arguments, ConfigFile::texts));
        }
        return Optional.of(given(program, command));
    }

    private <T> T convert(ConfigNode.Key key, Function<ConfigNode, T> conversion) {
        try {
            return conversion.apply(key.value());
        } catch (IllegalArgumentException e) {
            throw UsageException.of(where(key), shape(key.value()), String.valueOf(e.getMessage()));
        }
    }

    private static List<String> texts(ConfigNode value) {
        if (value instanceof ConfigNode.Items list) {
            return list.items().stream().map(ConfigFile::text).toList();
        }
        throw new IllegalArgumentException("a list of texts");
    }

    private static List<String> texts(ConfigNode value, SettingKind<?> kind) {
        if (value instanceof ConfigNode.Text one) {
            return List.of(one.text());
        }
        if (value instanceof ConfigNode.Items list && !list.items().isEmpty()) {
            return kind.join(texts(list));
        }
        if (value instanceof ConfigNode.Keys mapping
                && kind.takesAssignments()
                && !mapping.keys().isEmpty()) {
            return mapping.keys().stream()
                    .map(key -> key.name() + "=" + text(key.value()))
                    .toList();
        }
        throw new IllegalArgumentException(kind.takesValue() ? kind.label() : "true or false");
    }

    private static String text(ConfigNode node) {
        if (node instanceof ConfigNode.Text one) {
            return one.text();
        }
        throw new IllegalArgumentException("a text in place of " + shape(node));
    }

    private static String shape(ConfigNode node) {
        if (node instanceof ConfigNode.Items list) {
            return list.items().isEmpty() ? "an empty list" : "a list";
        }
        return node instanceof ConfigNode.Keys ? "keys" : node instanceof ConfigNode.Text one ? one.text() : "nothing";
    }

    private GivenValue given(ConfigNode.Key key, List<String> texts) {
        return new GivenValue(where(key), "file " + name + ", line " + key.line(), texts);
    }

    /** How a message about the key begins. */
    private String where(ConfigNode.Key key) {
        return at(key.line()) + ": " + key.name();
    }

    private String at(int line) {
        return name + ":" + line;
    }
}
