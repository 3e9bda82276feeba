/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.worker.contract;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Typed access to the members of an object; every complaint names the field, its value and what was expected. */
record JsonFields(String prefix, Map<String, @Nullable Object> members) {

    static JsonFields parse(byte[] json) {
        return new JsonFields("", Json.object(json));
    }

    void requireVersion(long expected) {
        long version = integer("version");
        if (version != expected) {
            throw wrong("version", version, Long.toString(expected));
        }
    }

    String string(String name) {
        Object value = members.get(name);
        if (value instanceof String string) {
            return string;
        }
        throw wrong(name, value, "a string");
    }

    long integer(String name) {
        Object value = members.get(name);
        if (value instanceof Long number) {
            return number;
        }
        throw wrong(name, value, "an integer");
    }

    /** 0 where there is none: it may come from an earlier version. */
    long integerIfAny(String name) {
        return members.containsKey(name) ? integer(name) : 0;
    }

    int int32(String name) {
        long value = integer(name);
        if (value != (int) value) {
            throw wrong(name, value, "a 32-bit integer");
        }
        return (int) value;
    }

    List<Integer> int32s(String name) {
        Object value = members.get(name);
        if (!(value instanceof List<?> list)) {
            throw wrong(name, value, "a list of 32-bit integers");
        }
        List<Integer> numbers = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof Long number) || number != number.intValue()) {
                throw wrong(name, value, "a list of 32-bit integers");
            }
            numbers.add(number.intValue());
        }
        return numbers;
    }

    List<String> texts(String name) {
        Object value = members.get(name);
        if (!(value instanceof List<?> list)) {
            throw wrong(name, value, "a list of strings");
        }
        List<String> texts = new ArrayList<>();
        for (Object each : list) {
            if (!(each instanceof String text)) {
                throw wrong(name, value, "a list of strings");
            }
            texts.add(text);
        }
        return texts;
    }

    Instant instant(String name) {
        String value = string(name);
        try {
            return IsoInstant.parse(value);
        } catch (DateTimeException e) {
            throw wrong(name, value, "an ISO-8601 instant");
        }
    }

    <E extends Enum<E>> E constant(String name, Class<E> type) {
        E constant = constantOrNull(name, type);
        if (constant == null) {
            throw wrong(name, null, expected(type));
        }
        return constant;
    }

    <E extends Enum<E>> @Nullable E constantOrNull(String name, Class<E> type) {
        if (members.get(name) == null) {
            return null;
        }
        String value = string(name);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equalsIgnoreCase(value)) {
                return constant;
            }
        }
        throw wrong(name, value, expected(type));
    }

    Map<String, String> strings(String name) {
        JsonFields nested = objectOrNull(name);
        Map<String, String> strings = new LinkedHashMap<>();
        if (nested != null) {
            for (String key : nested.members.keySet()) {
                strings.put(key, nested.string(key));
            }
        }
        return strings;
    }

    @Nullable
    JsonFields objectOrNull(String name) {
        Object value = members.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> nested = new LinkedHashMap<>();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                nested.put(String.valueOf(entry.getKey()), entry.getValue());
            }
            return new JsonFields(prefix + name + ".", nested);
        }
        throw wrong(name, value, "an object");
    }

    IllegalArgumentException wrong(String name, @Nullable Object value, String expected) {
        String found = members.containsKey(name) ? String.valueOf(value) : "missing";
        return new IllegalArgumentException(prefix + name + ": " + found + " (expected: " + expected + ")");
    }

    private static <E extends Enum<E>> String expected(Class<E> type) {
        StringBuilder names = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            names.append(names.length() == 0 ? "" : " or ").append(constant.name());
        }
        return names.toString();
    }
}
