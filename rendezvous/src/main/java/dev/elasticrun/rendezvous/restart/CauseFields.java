/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.rendezvous.restart;

import dev.elasticrun.rendezvous.fields.RecordFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Causes as plain fields, for documents and events: {@code kind} is the name of the type in lower case with underscores,
 * and each component has a field of that form. Values are texts, numbers, flags and lists of texts.
 */
public final class CauseFields {
    /** The field that names the type. */
    public static final String KIND = "kind";

    private static final Map<Class<?>, RecordFields<? extends Cause>> FIELDS = Stream.of(
                    Cause.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(
                    Function.identity(), type -> RecordFields.of(type.asSubclass(Cause.class))));

    private static final Map<String, Class<?>> TYPES = Stream.of(Cause.class.getPermittedSubclasses())
            .collect(Collectors.toUnmodifiableMap(
                    type -> RecordFields.underscored(type.getSimpleName()), Function.identity()));

    private CauseFields() {}

    /** In the same order. */
    public static List<Map<String, Object>> of(List<Cause> causes) {
        return causes.stream().map(CauseFields::of).toList();
    }

    public static Map<String, Object> of(Cause cause) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(KIND, kind(cause.getClass()));
        fields(cause.getClass()).write(cause, fields);
        return fields;
    }

    /** The name of a type of causes. */
    public static String kind(Class<? extends Cause> type) {
        return RecordFields.underscored(type.getSimpleName());
    }

    /** Empty when the kind is unknown, or fields have other types. Absent fields are empty, 0 or false. */
    public static Optional<Cause> parse(Map<String, ?> fields) {
        return parse(fields, UnaryOperator.identity());
    }

    /** The same, with each text as it is given for it. */
    public static Optional<Cause> parse(Map<String, ?> fields, UnaryOperator<String> texts) {
        return Optional.ofNullable(TYPES.get(String.valueOf(fields.get(KIND))))
                .flatMap(type -> fields(type).read(fields, texts));
    }

    private static RecordFields<? extends Cause> fields(Class<?> type) {
        return Optional.<RecordFields<? extends Cause>>ofNullable(FIELDS.get(type))
                .orElseThrow(() -> new IllegalArgumentException("not a cause: " + type));
    }
}
