/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.tune;

import dev.elasticrun.cli.options.ConfigNode;
import dev.elasticrun.cli.options.UsageException;
import dev.elasticrun.cli.text.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Keys of a study's file, each read once. What is wrong is noted with file and line, and reading goes on, so that all of it is
 * named at once.
 */
final class StudyFields {
    private final String file;
    private final int line;
    private final List<String> violations;
    private final Map<String, ConfigNode.Key> left = new LinkedHashMap<>();
    private final List<String> known = new ArrayList<>();

    private StudyFields(String file, String path, ConfigNode node, List<String> violations) {
        this.file = file;
        this.line = node.line();
        this.violations = violations;
        if (node instanceof ConfigNode.Keys keys) {
            for (ConfigNode.Key key : keys.keys()) {
                if (left.putIfAbsent(key.name(), key) != null) {
                    violations.add(UsageException.line(at(key.line(), key.name()), "given again", "once"));
                }
            }
        } else {
            violations.add(UsageException.line(file + ":" + line + ": " + path, shape(node), "keys with values"));
        }
    }

    static StudyFields of(String file, ConfigNode root, List<String> violations) {
        return new StudyFields(file, "study", root, violations);
    }

    /** The names that are there, in their order. */
    List<String> names() {
        return List.copyOf(left.keySet());
    }

    Optional<StudyFields> nested(String name) {
        return take(name).map(key -> new StudyFields(file, name, key.value(), violations));
    }

    /** A value, or what it is if it is not there; it is noted if it cannot be read. */
    <T> T value(String name, T otherwise, Function<String, T> parser) {
        return text(name).map(text -> parsed(name, text, otherwise, parser)).orElse(otherwise);
    }

    /** A value that must be there. */
    <T> T required(String name, T otherwise, String expected, Function<String, T> parser) {
        boolean isThere = left.containsKey(name);
        Optional<Text> text = text(name);
        if (!isThere) {
            violations.add(UsageException.line(at(line, name), "missing", expected));
        }
        return text.map(found -> parsed(name, found, otherwise, parser)).orElse(otherwise);
    }

    private <T> T parsed(String name, Text text, T otherwise, Function<String, T> parser) {
        try {
            return parser.apply(text.text());
        } catch (IllegalArgumentException e) {
            violations.add(UsageException.line(at(text.line(), name), text.text(), expectation(e)));
            return otherwise;
        }
    }

    private static String expectation(IllegalArgumentException e) {
        return e instanceof NumberFormatException ? "a number" : String.valueOf(e.getMessage());
    }

    /** A list of texts, or one text; empty = it is not there. */
    List<String> texts(String name) {
        Optional<ConfigNode.Key> key = take(name);
        if (key.isEmpty()) {
            return List.of();
        }
        ConfigNode value = key.get().value();
        if (value instanceof ConfigNode.Text text) {
            return List.of(text.text());
        }
        if (value instanceof ConfigNode.Items items
                && items.items().stream().allMatch(ConfigNode.Text.class::isInstance)) {
            return items.items().stream()
                    .map(item -> ((ConfigNode.Text) item).text())
                    .toList();
        }
        violations.add(UsageException.line(at(key.get().line(), name), shape(value), "a text, or a list of texts"));
        return List.of();
    }

    /** Whether a key is there, and has one text. */
    boolean isText(String name) {
        ConfigNode.Key key = left.get(name);
        return key != null && key.value() instanceof ConfigNode.Text;
    }

    /** Whether a key is there, and has keys. */
    boolean isKeys(String name) {
        ConfigNode.Key key = left.get(name);
        return key != null && key.value() instanceof ConfigNode.Keys;
    }

    /** Of a key that was not read yet. */
    int line(String name) {
        ConfigNode.Key key = left.get(name);
        return key == null ? line : key.line();
    }

    /** What was thrown while the value of a key was made into something. */
    void wrong(int where, String name, IllegalArgumentException e) {
        violations.add(at(where, name) + ": " + e.getMessage());
    }

    /** Notes the keys that nobody has asked for. */
    void end() {
        left.values()
                .forEach(key -> violations.add(UsageException.line(
                        at(key.line(), key.name()),
                        "unknown",
                        Spelling.nearest(key.name(), known)
                                .map(near -> near + "?")
                                .orElse("one of " + String.join(", ", known)))));
    }

    private record Text(int line, String text) {}

    private Optional<Text> text(String name) {
        Optional<ConfigNode.Key> key = take(name);
        if (key.isPresent() && !(key.get().value() instanceof ConfigNode.Text)) {
            violations.add(UsageException.line(
                    at(key.get().line(), name), shape(key.get().value()), "a text"));
            return Optional.empty();
        }
        return key.map(found -> new Text(found.line(), ((ConfigNode.Text) found.value()).text()));
    }

    private Optional<ConfigNode.Key> take(String name) {
        known.add(name);
        return Optional.ofNullable(left.remove(name));
    }

    private String at(int where, String name) {
        return file + ":" + where + ": " + name;
    }

    private static String shape(ConfigNode node) {
        return node instanceof ConfigNode.Items
                ? "a list"
                : node instanceof ConfigNode.Keys
                        ? "keys"
                        : node instanceof ConfigNode.Text text ? text.text() : "nothing";
    }
}
