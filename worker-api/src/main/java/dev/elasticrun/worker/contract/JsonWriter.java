/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes one JSON object, members in the order of the calls. */
final class JsonWriter {
    private final StringBuilder out = new StringBuilder("{");

    JsonWriter put(String name, @Nullable String value) {
        name(name);
        if (value == null) {
            out.append("null");
        } else {
            quote(value);
        }
        return this;
    }

    JsonWriter put(String name, long value) {
        name(name);
        out.append(value);
        return this;
    }

    JsonWriter put(String name, List<Integer> numbers) {
        name(name);
        out.append(numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]")));
        return this;
    }

    JsonWriter putTexts(String name, List<String> texts) {
        name(name);
        out.append('[');
        String separator = "";
        for (String text : texts) {
            out.append(separator);
            quote(text);
            separator = ",";
        }
        out.append(']');
        return this;
    }

    JsonWriter put(String name, @Nullable JsonWriter object) {
        name(name);
        out.append(object == null ? "null" : object.out + "}");
        return this;
    }

    JsonWriter put(String name, Map<String, String> strings) {
        JsonWriter object = new JsonWriter();
        strings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(entry -> object.put(entry.getKey(), entry.getValue()));
        return put(name, object);
    }

    byte[] bytes() {
        return (out + "}").getBytes(StandardCharsets.UTF_8);
    }

    private void name(String name) {
        if (out.length() > 1) {
            out.append(',');
        }
        quote(name);
        out.append(':');
    }

    private void quote(String value) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || isLonely(value, i)) {
                escape(c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Half a surrogate pair has no UTF-8 form; as an escape it survives the round trip. */
    private static boolean isLonely(String value, int i) {
        char c = value.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 >= value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(value.charAt(i - 1)));
    }

    private void escape(char c) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append(String.format("\\u%04x", (int) c));
        }
    }
}
