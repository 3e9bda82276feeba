/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.fields;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Records of records as maps of maps, and back, with the names and plain values of {@link RecordFields}. A record of a
 * sealed type begins with the field {@code kind}, the name of the record in lower case with underscores. Durations are
 * texts in the form of ISO 8601; maps have texts as keys and whole numbers as values.
 */
public final class NestedFields {
    private static final String KIND = "kind";
    private static final Map<Class<?>, RecordFields<?>> FIELDS = new ConcurrentHashMap<>();
    private static final RecordFields.Converter CONVERTER = new Nested();

    private NestedFields() {}

    private static final class Nested implements RecordFields.Converter {
        @Override
        public Optional<Object> write(Object value) {
            if (value instanceof Duration duration) {
                return Optional.of(duration.toString());
            } else if (value instanceof Map<?, ?> map) {
                return Optional.of(new TreeMap<>(map));
            }
            return value instanceof Record one ? Optional.of(of(one)) : Optional.empty();
        }

        @Override
        public Optional<Object> read(Class<?> type, Object field, UnaryOperator<String> texts) {
            if (field instanceof Map<?, ?> fields) {
                return type == Map.class ? numbers(fields) : NestedFields.read(type, fields, texts);
            }
            return type == Duration.class ? duration(field) : Optional.empty();
        }
    }

    /** In the order of its components. */
    public static Map<String, Object> of(Record value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (Stream.of(value.getClass().getInterfaces()).anyMatch(Class::isSealed)) {
            fields.put(KIND, kind(value.getClass()));
        }
        fieldsOf(value.getClass()).write(value, fields);
        return fields;
    }

    /** Empty when that is no record of the type. Absent fields are empty, 0, false or null. */
    public static <R> Optional<R> parse(Class<R> type, Map<String, ?> fields) {
        return read(type, fields, UnaryOperator.identity()).map(type::cast);
    }

    private static Optional<Object> read(Class<?> type, Map<?, ?> fields, UnaryOperator<String> texts) {
        Map<String, Object> named = new LinkedHashMap<>();
        fields.forEach((name, value) -> {
            if (value != null) {
                named.put(String.valueOf(name), value);
            }
        });
        if (type.isRecord()) {
            return fieldsOf(type).read(named, texts).map(Object.class::cast);
        } else if (!type.isSealed()) {
            return Optional.empty();
        }
        return Stream.of(type.getPermittedSubclasses())
                .filter(one -> kind(one).equals(named.get(KIND)))
                .findFirst()
                .flatMap(one -> fieldsOf(one).read(named, texts).map(Object.class::cast));
    }

    private static String kind(Class<?> type) {
        return RecordFields.underscored(type.getSimpleName());
    }

    private static RecordFields<?> fieldsOf(Class<?> type) {
        return FIELDS.computeIfAbsent(type, unknown -> RecordFields.nested(type, CONVERTER));
    }

    private static Optional<Object> duration(Object field) {
        try {
            return field instanceof String text ? Optional.of(Duration.parse(text)) : Optional.empty();
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static Optional<Object> numbers(Map<?, ?> fields) {
        Map<String, Long> numbers = new LinkedHashMap<>();
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            if (!(field.getValue() instanceof Number number)) {
                return Optional.empty();
            }
            numbers.put(String.valueOf(field.getKey()), number.longValue());
        }
        return Optional.of(numbers);
    }
}
