/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.events;

import dev.elasticrun.rendezvous.fields.RecordFields;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseFields;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Converts events to the fields of a line, and back. The first word of a type's name is the first part of its kind:
 * {@code WorkerStarted} is {@code worker.started}, {@code RunStopRequested} is {@code run.stop_requested}.
 */
public final class EventFields {
    /** Of what an agent writes; a reader of another schema may find kinds that it does not know. */
    public static final int SCHEMA = 2;

    private static final Map<String, Class<? extends RunEvent>> TYPES = types();
    private static final Map<Class<?>, RecordFields<? extends RunEvent>> FIELDS = new ConcurrentHashMap<>();
    private static final Map<Class<?>, String> KINDS =
            TYPES.entrySet().stream().collect(Collectors.toUnmodifiableMap(Map.Entry::getValue, Map.Entry::getKey));

    private EventFields() {}

    private static final class Causes implements RecordFields.Converter {
        @Override
        public Optional<Object> write(Object value) {
            return value instanceof Cause cause ? Optional.of(CauseFields.of(cause)) : Optional.empty();
        }

        @Override
        @SuppressWarnings("unchecked")
        public Optional<Object> read(Class<?> type, Object field, UnaryOperator<String> texts) {
            return type == Cause.class && field instanceof Map<?, ?> fields
                    ? CauseFields.parse((Map<String, ?>) fields, texts).map(Object.class::cast)
                    : Optional.empty();
        }
    }

    private static Map<String, Class<? extends RunEvent>> types() {
        Map<String, Class<? extends RunEvent>> types = new HashMap<>();
        collect(RunEvent.class, types);
        return Map.copyOf(types);
    }

    private static void collect(Class<? extends RunEvent> type, Map<String, Class<? extends RunEvent>> types) {
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                collect(permitted.asSubclass(RunEvent.class), types);
            }
        } else if (type != RunEvent.Unknown.class) {
            types.put(RecordFields.underscored(type.getSimpleName()).replaceFirst("_", "."), type);
        }
    }

    /** All kinds that an agent writes. */
    public static Set<String> kinds() {
        return TYPES.keySet();
    }

    /** Of any but {@link RunEvent.Unknown}. */
    static String kind(Class<? extends RunEvent> type) {
        return Objects.requireNonNull(KINDS.get(type), type::getName);
    }

    /** Without the kind. */
    public static Map<String, Object> of(RunEvent event) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fieldsOf(event.getClass()).write(event, fields);
        return fields;
    }

    public static RunEvent parse(String kind, Map<String, ?> fields) {
        Class<? extends RunEvent> type = TYPES.get(kind);
        return type == null ? new RunEvent.Unknown(kind) : parse(kind, type, fields, UnaryOperator.identity());
    }

    /** The same event, with its texts as they are given for them: equal ones may be one. */
    static RunEvent withTexts(RunEvent event, UnaryOperator<String> texts) {
        return parse(event.kind(), event.getClass(), of(event), texts);
    }

    private static RunEvent parse(
            String kind, Class<? extends RunEvent> type, Map<String, ?> fields, UnaryOperator<String> texts) {
        return fieldsOf(type).read(fields, texts).map(RunEvent.class::cast).orElseGet(() -> new RunEvent.Unknown(kind));
    }

    private static RecordFields<? extends RunEvent> fieldsOf(Class<? extends RunEvent> type) {
        return FIELDS.computeIfAbsent(type, unknown -> RecordFields.of(type, new Causes()));
    }
}
