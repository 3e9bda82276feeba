/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.agent.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A schema of {@code docs/schema}. Published schemas allow fields that they do not have, as new ones may come; here such a field
 * is an error, so that each one is described.
 */
public final class SchemaFile {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    private final String name;
    private final JsonSchema published;
    private final JsonSchema strict;

    private SchemaFile(String name, JsonNode schema) {
        this.name = name;
        this.published = FACTORY.getSchema(schema);
        JsonNode closed = schema.deepCopy();
        close(closed);
        ((ObjectNode) closed).remove("$id");
        this.strict = FACTORY.getSchema(closed);
    }

    /** @param name of a file in docs/schema; the caller's module is one directory below the root */
    public static SchemaFile of(String name) {
        return of(Path.of("../docs/schema"), name);
    }

    public static SchemaFile of(Path directory, String name) {
        try {
            return new SchemaFile(name, MAPPER.readTree(directory.resolve(name).toFile()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read schema " + name, e);
        }
    }

    /** Asserts that a text is JSON which the schema describes, with each of its fields. */
    public void assertDescribes(String json) {
        try {
            assertDescribes(MAPPER.readTree(json));
        } catch (JsonProcessingException e) {
            throw new AssertionError("no JSON: " + json, e);
        }
    }

    /** The same of what was read. */
    public void assertDescribes(JsonNode json) {
        assertThat(published.validate(json)).as("%s: %s", name, json).isEmpty();
        assertThat(strict.validate(json))
                .as("fields that %s has not: %s", name, json)
                .isEmpty();
    }

    /** The same of each line of a file. */
    public void assertDescribesLines(Path file) throws IOException {
        assertThat(Files.readAllLines(file)).isNotEmpty().allSatisfy((String line) -> assertDescribes(line));
    }

    // What has conditions has fields in several places.
    private static void close(JsonNode node) {
        boolean isWhole = node.path("properties").isObject() && !node.has("additionalProperties");
        if (node instanceof ObjectNode object
                && isWhole
                && node.path("type").asText().equals("object")) {
            object.put(node.has("allOf") ? "unevaluatedProperties" : "additionalProperties", false);
        }
        node.forEach(SchemaFile::close);
    }
}
