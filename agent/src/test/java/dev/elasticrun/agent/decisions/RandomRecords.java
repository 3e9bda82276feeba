/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.decisions;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records of any type with random components, and which types and constants were among them. */
final class RandomRecords {
    private static final List<String> TEXTS = List.of("", "a", "node-1", "\u00e9 \"x\"\n\u001b[0m", "none", "{}");
    private static final List<Long> NUMBERS = List.of(0L, 1L, -1L, 7L, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE);
    private static final int MAX_ELEMENTS = 3;
    private static final int MAX_TRIES = 1000;

    private final Random random;
    private final Set<Object> seen = new HashSet<>();

    RandomRecords(long seed) {
        this.random = new Random(seed);
    }

    /** Types of records and constants of enums that were made. */
    Set<Object> seen() {
        return seen;
    }

    <R> R next(Class<R> type) {
        return type.cast(value(type));
    }

    private Object value(Type generic) {
        Class<?> type = (Class<?>) (generic instanceof ParameterizedType of ? of.getRawType() : generic);
        if (type == List.class) {
            return List.copyOf(elements(generic));
        } else if (type == Set.class) {
            return Set.copyOf(elements(generic));
        } else if (type == Map.class) {
            Map<Object, Object> map = new HashMap<>();
            elements(generic).forEach(key -> map.put(key, number()));
            return map;
        } else if (type.isSealed()) {
            return value(one(List.of(type.getPermittedSubclasses())));
        } else if (type.isRecord()) {
            return record(type);
        } else if (type.isEnum()) {
            Object constant = one(List.of(type.getEnumConstants()));
            seen.add(constant);
            return constant;
        }
        return plain(type);
    }

    private Object plain(Class<?> type) {
        if (type == int.class || type == Integer.class) {
            return (int) number();
        } else if (type == long.class || type == Long.class) {
            return number();
        } else if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            return one(TEXTS);
        } else if (type == Duration.class) {
            return Duration.ofNanos(one(NUMBERS));
        }
        throw new AssertionError("a component of type " + type);
    }

    private long number() {
        return one(NUMBERS);
    }

    private List<Object> elements(Type collection) {
        Type element = ((ParameterizedType) collection).getActualTypeArguments()[0];
        List<Object> elements = new ArrayList<>();
        int count = random.nextInt(MAX_ELEMENTS + 1);
        for (int i = 0; i < count; i++) {
            elements.add(value(element));
        }
        return elements;
    }

    // Some records refuse some values.
    private Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < types.length; i++) {
            types[i] = components[i].getType();
        }
        for (int i = 0; i < MAX_TRIES; i++) {
            try {
                Constructor<?> constructor = type.getDeclaredConstructor(types);
                @Nullable Object[] values = new @Nullable Object[types.length];
                for (int j = 0; j < values.length; j++) {
                    boolean isNull = components[j].getAnnotatedType().isAnnotationPresent(Nullable.class)
                            && random.nextBoolean();
                    values[j] = isNull ? null : value(components[j].getGenericType());
                }
                Object made = constructor.newInstance(values);
                seen.add(type);
                return made;
            } catch (InvocationTargetException refused) {
                // Other values.
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("constructor of " + type, e);
            }
        }
        throw new AssertionError("no value for " + type);
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
