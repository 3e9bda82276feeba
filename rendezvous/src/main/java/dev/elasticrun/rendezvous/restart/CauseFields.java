/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Causes as plain fields, for documents and events: {@code kind} is the name of the type in lower case with underscores,
 * and each component has a field of that form. Values are texts, numbers, flags and lists of texts.
 */
public final class CauseFields {
    /** The field that names the type. */
    public static final String KIND = "kind";

    private static final Map<String, Class<?>> TYPES = Stream.of(Cause.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(type -> underscored(type.getSimpleName()), Function.identity()));

    private CauseFields() {}

    /** In the same order. */
    public static List<Map<String, Object>> of(List<Cause> causes) {
        return causes.stream().map(CauseFields::of).toList();
    }

    public static Map<String, Object> of(Cause cause) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(KIND, kind(cause.getClass()));
        for (RecordComponent component : cause.getClass().getRecordComponents()) {
            try {
                fields.put(
                        underscored(component.getName()),
                        component.getAccessor().invoke(cause));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("accessor of " + component, e);
            }
        }
        return fields;
    }

    /** The name of a type of causes. */
    public static String kind(Class<? extends Cause> type) {
        return underscored(type.getSimpleName());
    }

    /** Empty when the kind is unknown, or fields have other types. Absent fields are empty, 0 or false. */
    public static Optional<Cause> parse(Map<String, ?> fields) {
        Class<?> type = TYPES.get(String.valueOf(fields.get(KIND)));
        if (type == null) {
            return Optional.empty();
        }
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            Object value = value(types[i], fields.get(underscored(components[i].getName())));
            if (value == null) {
                return Optional.empty();
            }
            values[i] = value;
        }
        try {
            return Optional.of((Cause) type.getDeclaredConstructor(types).newInstance(values));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("constructor of " + type, e);
        }
    }

    private static @Nullable Object value(Class<?> type, @Nullable Object field) {
        if (type == int.class) {
            return field == null ? (Object) 0 : field instanceof Number number ? number.intValue() : null;
        } else if (type == boolean.class) {
            return field == null ? (Object) false : field instanceof Boolean ? field : null;
        } else if (type == String.class) {
            return field == null ? "" : field instanceof String ? field : null;
        } else if (type == List.class) {
            return field == null
                    ? List.of()
                    : field instanceof List<?> list
                            ? list.stream().map(String::valueOf).toList()
                            : null;
        }
        throw new AssertionError("a component of type " + type);
    }

    private static String underscored(String camelCase) {
        return camelCase.replaceAll("(?<=.)([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
