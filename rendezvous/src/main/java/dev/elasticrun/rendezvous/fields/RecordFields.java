/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fields;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Records as plain fields, and back: a component {@code worldSize} is the field {@code world_size}, a component that is a
 * record has its own components as fields beside the others, and an empty {@link Optional} has none; nor has null. Other values are texts, numbers, flags, enums by their names in lower case, and lists and
 * sets of those; a set is written in the order of its texts. Immutable; safe for use by any thread.
 *
 * @param <R> the type
 */
public final class RecordFields<R> {
    private final Constructor<R> constructor;
    private final List<Part> parts;
    private final Converter converter;

    /** How a type is written that is none of those. */
    public interface Converter {
        /** None. */
        Converter NONE = new Converter() {};

        /** @return a plain value; empty = not a value of this converter */
        default Optional<Object> write(Object value) {
            return Optional.empty();
        }

        /**
         * @param texts is to be applied to each text
         * @return empty = not a type of this converter, or not a value of the type
         */
        default Optional<Object> read(Class<?> type, Object field, UnaryOperator<String> texts) {
            return Optional.empty();
        }
    }

    /**
     * A component.
     *
     * @param type of its value; of an optional one, of what it may hold
     * @param isOptional whether its values are {@link Optional}s
     * @param mayBeNull whether null is what it has when it is absent
     * @param nested null = it is one field
     */
    private record Part(
            RecordComponent component,
            String name,
            Class<?> type,
            boolean isOptional,
            boolean mayBeNull,
            @Nullable RecordFields<?> nested) {

        static Part of(RecordComponent component, Converter converter, boolean isFlat) {
            boolean isOptional = component.getType() == Optional.class;
            Class<?> type = isOptional ? argument(component) : component.getType();
            return new Part(
                    component,
                    underscored(component.getName()),
                    type,
                    isOptional,
                    !isFlat && !isOptional && (type.isRecord() || type.isSealed()),
                    type.isRecord() && isFlat ? RecordFields.of(type, converter) : null);
        }

        @Nullable
        Object of(Object value) {
            try {
                return component.getAccessor().invoke(value);
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("accessor of " + component, e);
            }
        }
    }

    private RecordFields(Class<R> type, Converter converter, boolean isFlat) {
        RecordComponent[] components = type.getRecordComponents();
        try {
            this.constructor = type.getDeclaredConstructor(
                    Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new LinkageError("constructor of " + type, e);
        }
        this.parts = Stream.of(components)
                .map(component -> Part.of(component, converter, isFlat))
                .toList();
        this.converter = converter;
    }

    /** Of a type with one argument. */
    private static Class<?> argument(RecordComponent component) {
        return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
    }

    public static <R> RecordFields<R> of(Class<R> type) {
        return of(type, Converter.NONE);
    }

    public static <R> RecordFields<R> of(Class<R> type, Converter converter) {
        return new RecordFields<>(type, converter, true);
    }

    /**
     * A component that is a record is one field, too: the converter writes and reads it. If it is absent it is null, which a
     * record that needs it refuses.
     */
    public static <R> RecordFields<R> nested(Class<R> type, Converter converter) {
        return new RecordFields<>(type, converter, false);
    }

    /** Adds the record's fields, in the order of its components. */
    public void write(Object value, Map<String, Object> fields) {
        for (Part part : parts) {
            Object held = part.of(value);
            Optional<?> component = held instanceof Optional<?> optional ? optional : Optional.ofNullable(held);
            RecordFields<?> nested = part.nested();
            if (nested != null) {
                component.ifPresent(one -> nested.write(one, fields));
            } else {
                component.ifPresent(one -> fields.put(part.name(), plain(one)));
            }
        }
    }

    private Object plain(Object value) {
        if (value instanceof Set<?> set) {
            return set.stream()
                    .map(this::plain)
                    .sorted(Comparator.comparing(String::valueOf))
                    .toList();
        } else if (value instanceof Collection<?> collection) {
            return collection.stream().map(this::plain).toList();
        } else if (value instanceof Enum<?> one) {
            return one.name().toLowerCase(Locale.ROOT);
        }
        return converter.write(value).orElse(value);
    }

    /**
     * Empty when a field has another type, or the record refuses a value. Absent fields are empty, 0 or false.
     *
     * @param texts is applied to each text
     */
    public Optional<R> read(Map<String, ?> fields, UnaryOperator<String> texts) {
        @Nullable Object[] values = new @Nullable Object[parts.size()];
        for (int i = 0; i < values.length; i++) {
            Part part = parts.get(i);
            boolean isAbsent = (part.isOptional() || part.mayBeNull()) && !isIn(part, fields);
            if (isAbsent && part.mayBeNull()) {
                continue;
            }
            Object value = isAbsent
                    ? Optional.empty()
                    : part.nested() != null
                            ? part.nested().read(fields, texts).orElse(null)
                            : value(part.type(), part.component(), fields.get(part.name()), texts);
            if (value == null) {
                return Optional.empty();
            }
            values[i] = part.isOptional() && !isAbsent ? Optional.of(value) : value;
        }
        try {
            return Optional.of(constructor.newInstance(values));
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException || e.getCause() instanceof NullPointerException) {
                return Optional.empty();
            }
            throw new LinkageError("constructor " + constructor, e);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("constructor " + constructor, e);
        }
    }

    private static boolean isIn(Part part, Map<String, ?> fields) {
        return part.nested() == null
                ? fields.get(part.name()) != null
                : part.nested().parts.stream().anyMatch(inner -> isIn(inner, fields));
    }

    /** @param component of a list, whose type has its elements' */
    private @Nullable Object value(
            Class<?> type, @Nullable RecordComponent component, @Nullable Object field, UnaryOperator<String> texts) {
        if (type == int.class || type == Integer.class) {
            return number(field, Number::intValue);
        } else if (type == long.class || type == Long.class) {
            return number(field, Number::longValue);
        } else if (type == Double.class) {
            return number(field, Number::doubleValue);
        } else if (type == boolean.class) {
            return field == null ? (Object) false : field instanceof Boolean ? field : null;
        } else if (type == String.class) {
            return field == null ? "" : field instanceof String text ? texts.apply(text) : null;
        } else if (type == List.class && component != null) {
            return list(argument(component), field, texts);
        } else if (type == Set.class && component != null) {
            List<?> elements = list(argument(component), field, texts);
            return elements == null ? null : Set.copyOf(elements);
        } else if (type.isEnum()) {
            return constant(type, field);
        }
        return field == null ? null : converter.read(type, field, texts).orElse(null);
    }

    private static @Nullable Object number(@Nullable Object field, Function<Number, Object> convert) {
        return field == null ? convert.apply(0) : field instanceof Number number ? convert.apply(number) : null;
    }

    /** What is no element of it is left out: a newer version may know more. */
    private @Nullable List<?> list(Class<?> element, @Nullable Object field, UnaryOperator<String> texts) {
        if (field == null) {
            return List.of();
        }
        if (!(field instanceof List<?> all)) {
            return null;
        }
        List<Object> values = new ArrayList<>(all.size());
        for (Object one : all) {
            Object value = one == null ? null : value(element, null, one, texts);
            if (value != null) {
                values.add(value);
            }
        }
        return List.copyOf(values);
    }

    private static @Nullable Object constant(Class<?> type, @Nullable Object field) {
        for (Object one : type.getEnumConstants()) {
            if (((Enum<?>) one).name().toLowerCase(Locale.ROOT).equals(field)) {
                return one;
            }
        }
        return null;
    }

    /** {@code worldSize} as {@code world_size}. */
    public static String underscored(String camelCase) {
        StringBuilder text = new StringBuilder(camelCase.length() + 4);
        for (int i = 0; i < camelCase.length(); i++) {
            char one = camelCase.charAt(i);
            if (Character.isUpperCase(one) && i > 0) {
                text.append('_');
            }
            text.append(Character.toLowerCase(one));
        }
        return text.toString();
    }
}
