/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.agent.events.EventFields;
import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.fields.RecordFields;
import dev.elasticrun.rendezvous.restart.Cause;
import dev.elasticrun.rendezvous.restart.CauseFields;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The schema of a line of {@code events.jsonl}, which has a branch for each type of event and of cause in the sources. */
@Tag("once")
final class EventSchemaTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Path FILE = Path.of("../docs/schema/event.json");
    private static final String STRING = "string";

    @Test
    @Tag("golden")
    void schema_isThatOfTheSources() throws IOException {
        String expected = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(schema()) + "\n";
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(FILE, expected);
        }
        assertThat(Files.readString(FILE))
                .as(FILE + ", see -Dgolden.write=true")
                .isEqualTo(expected);
    }

    @Test
    void schema_hasABranchForEachKind() throws IOException {
        List<String> kinds = new ArrayList<>();
        MAPPER.readTree(FILE.toFile())
                .path("allOf")
                .forEach(branch ->
                        kinds.add(branch.at("/if/properties/kind/const").asText()));

        assertThat(kinds).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(EventFields.kinds());
    }

    @Test
    void line_withAFieldThatItsKindHasNot_isNotDescribed() {
        SchemaFile schema = SchemaFile.of("event.json");
        String line = "{\"schema\":2,\"run\":\"r\",\"incarnation\":\"\",\"node\":\"n\",\"round\":0,\"incident\":null,"
                + "\"nanos\":1,\"time\":\"2026-01-01T00:00:00Z\",\"kind\":\"coordinator.changed\",\"coordinator\":\"n\"";

        schema.assertDescribes(line + "}");
        assertThat(catchThrowable(() -> schema.assertDescribes(line + ",\"other\":1}")))
                .isInstanceOf(AssertionError.class);
        assertThat(catchThrowable(
                        () -> schema.assertDescribes(line.replace("\"coordinator\":\"n\"", "\"coordinator\":7") + "}")))
                .isInstanceOf(AssertionError.class);
    }

    private static JsonNode schema() {
        ObjectNode schema = MAPPER.createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("$id", "https://elasticrun.dev/schema/event.json");
        schema.put("title", "A line of events.jsonl, and of elastic-run events --format json");
        schema.put("description", "docs/events.md has what each kind means. Written by a test from the sources.");
        schema.put("type", "object");
        ObjectNode fields = schema.putObject("properties");
        fields.putObject("schema").put("const", EventFields.SCHEMA);
        for (String text : List.of("run", "incarnation", "node")) {
            fields.putObject(text).put("type", STRING);
        }
        fields.putObject("round").put("type", "integer").put("description", "the newest that the agent knew; 0: none");
        fields.putObject("incident")
                .put("description", "that led to that round; null: none")
                .putArray("type")
                .add(STRING)
                .add("null");
        fields.putObject("nanos").put("type", "integer").put("description", "monotonic clock of the host");
        fields.putObject("time").put("type", STRING).put("format", "date-time");
        fields.putObject("kind").put("type", STRING);
        ArrayNode required = schema.putArray("required");
        fields.fieldNames().forEachRemaining(required::add);
        fields.putObject("events_dropped_before")
                .put("type", "integer")
                .put("description", "events that were lost before this one, as the disk was full");
        ArrayNode branches = schema.putArray("allOf");
        kinds(RunEvent.class, new TreeMap<>()).forEach((kind, type) -> branch(branches.addObject(), kind, type));
        ObjectNode cause = schema.putObject("$defs").putObject("cause");
        cause.put("type", "object");
        cause.putObject("properties").putObject(CauseFields.KIND).put("type", STRING);
        cause.putArray("required").add(CauseFields.KIND);
        ArrayNode causes = cause.putArray("allOf");
        SortedMap<String, Class<?>> types = new TreeMap<>();
        for (Class<?> type : Cause.class.getPermittedSubclasses()) {
            types.put(CauseFields.kind(type.asSubclass(Cause.class)), type);
        }
        types.forEach((kind, type) -> branch(causes.addObject(), kind, type));
        return schema;
    }

    private static SortedMap<String, Class<?>> kinds(Class<?> type, SortedMap<String, Class<?>> kinds) {
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                kinds(permitted, kinds);
            }
        } else if (type != RunEvent.Unknown.class) {
            kinds.put(RecordFields.underscored(type.getSimpleName()).replaceFirst("_", "."), type);
        }
        return kinds;
    }

    private static void branch(ObjectNode branch, String kind, Class<?> type) {
        ObjectNode condition = branch.putObject("if");
        condition.putObject("properties").putObject("kind").put("const", kind);
        condition.putArray("required").add("kind");
        ObjectNode fields = MAPPER.createObjectNode();
        TreeSet<String> required = new TreeSet<>();
        add(type, true, fields, required);
        ObjectNode then = branch.putObject("then");
        then.set("properties", fields);
        ArrayNode names = then.putArray("required");
        required.forEach(names::add);
    }

    /** A component that is a record has its own components as fields. */
    private static void add(Class<?> type, boolean isRequired, ObjectNode fields, Collection<String> required) {
        for (RecordComponent component : type.getRecordComponents()) {
            boolean isOptional = component.getType() == Optional.class;
            Type value = isOptional ? argument(component.getGenericType()) : component.getGenericType();
            boolean isNeeded = isRequired && !isOptional;
            if (value instanceof Class<?> record && record.isRecord()) {
                add(record, isNeeded, fields, required);
                continue;
            }
            String name = RecordFields.underscored(component.getName());
            fields.set(name, schemaOf(value));
            if (isNeeded) {
                required.add(name);
            }
        }
    }

    private static Type argument(Type type) {
        return ((ParameterizedType) type).getActualTypeArguments()[0];
    }

    private static JsonNode schemaOf(Type type) {
        ObjectNode schema = MAPPER.createObjectNode();
        if (type instanceof ParameterizedType) {
            schema.put("type", "array").set("items", schemaOf(argument(type)));
            return schema;
        }
        Class<?> plain = (Class<?>) type;
        if (plain == Cause.class) {
            return schema.put("$ref", "#/$defs/cause");
        } else if (plain.isEnum()) {
            ArrayNode words = schema.put("type", STRING).putArray("enum");
            for (Object constant : plain.getEnumConstants()) {
                words.add(((Enum<?>) constant).name().toLowerCase(Locale.ROOT));
            }
            return schema;
        }
        String name = Map.<Class<?>, String>of(
                        String.class, STRING,
                        boolean.class, "boolean",
                        int.class, "integer",
                        Integer.class, "integer",
                        long.class, "integer",
                        Long.class, "integer",
                        Double.class, "number")
                .get(plain);
        assertThat(name).as("type of a field: " + plain).isNotNull();
        return schema.put("type", name);
    }
}
