/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * What is rendered, and the excerpts of schemas in the test resources, agree with the whole schemas, where the system property
 * {@code kubernetes.crds} names a directory with the CustomResourceDefinitions of JobSet and Trainer.
 */
@EnabledIfSystemProperty(named = "kubernetes.crds", matches = ".+")
final class CustomSchemasTest {
    private static final List<String> KINDS = List.of("JobSet", "TrainJob", "ClusterTrainingRuntime");

    @Test
    void manifests_ofEachForm_fitTheDefinitions() throws IOException {
        Map<String, Map<?, ?>> schemas = schemas();
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Jobs> each : Jobs.all().entrySet()) {
            String text = ManifestYaml.text(Manifests.of(each.getValue().spec(), Jobs.IDENTITY));
            for (Map<String, Object> document : StrictManifests.documents(text)) {
                Map<?, ?> schema = schemas.get(String.valueOf(document.get("kind")));
                if (schema != null) {
                    compare(each.getKey() + ": " + document.get("kind"), schema, document, wrong);
                }
            }
        }

        assertThat(schemas.keySet()).containsAll(KINDS);
        assertThat(wrong).isEmpty();
    }

    @Test
    void excerpts_fieldByField_areInTheDefinitions() throws IOException {
        Map<String, Map<?, ?>> schemas = schemas();
        List<String> wrong = new ArrayList<>();
        for (String kind : KINDS) {
            compareExcerpt(kind, StrictManifests.excerpt(kind), Objects.requireNonNull(schemas.get(kind), kind), wrong);
        }

        assertThat(wrong).isEmpty();
    }

    private static Map<String, Map<?, ?>> schemas() throws IOException {
        Map<String, Map<?, ?>> schemas = new HashMap<>();
        Path directory = Path.of(System.getProperty("kubernetes.crds", ""));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".yaml")).toList()) {
                Map<?, ?> definition = new YAMLMapper().readValue(file.toFile(), Map.class);
                Object kind = at(definition, "spec", "names", "kind");
                Object versions = at(definition, "spec", "versions");
                if (versions instanceof List<?> list
                        && at(list.get(0), "schema", "openAPIV3Schema") instanceof Map<?, ?> schema) {
                    schemas.put(String.valueOf(kind), schema);
                }
            }
        }
        return schemas;
    }

    private static void compare(String path, Map<?, ?> schema, @Nullable Object value, List<String> wrong) {
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
            return;
        }
        String type = String.valueOf(schema.get("type"));
        boolean fits =
                switch (type) {
                    case "object" -> value instanceof Map;
                    case "array" -> value instanceof List;
                    case "string" -> value instanceof String;
                    case "integer" -> value instanceof Integer;
                    case "boolean" -> value instanceof Boolean;
                    default -> true;
                };
        if (!fits || (schema.get("enum") instanceof List<?> choices && !choices.contains(value))) {
            wrong.add(path + ": " + value + " (expected: " + type + " " + schema.get("enum") + ")");
        } else if (value instanceof Map<?, ?> fields) {
            compareFields(path, schema, fields, wrong);
        } else if (value instanceof List<?> items && schema.get("items") instanceof Map<?, ?> item) {
            items.forEach(each -> compare(path + "[]", item, each, wrong));
        }
    }

    private static void compareFields(String path, Map<?, ?> schema, Map<?, ?> fields, List<String> wrong) {
        if (schema.get("required") instanceof List<?> required) {
            required.stream()
                    .filter(name -> !fields.containsKey(name))
                    .forEach(name -> wrong.add(path + "." + name + ": not given"));
        }
        fields.forEach((name, each) -> {
            if (at(schema, "properties", String.valueOf(name)) instanceof Map<?, ?> property) {
                compare(path + "." + name, property, each, wrong);
            } else if (schema.get("additionalProperties") instanceof Map<?, ?> other) {
                compare(path + "." + name, other, each, wrong);
            } else if (schema.containsKey("properties")) {
                wrong.add(path + "." + name + ": unknown");
            }
        });
    }

    private static void compareExcerpt(String path, Object shape, Map<?, ?> schema, List<String> wrong) {
        if (shape instanceof Map<?, ?> fields) {
            fields.forEach((field, each) -> compareField(path, String.valueOf(field), each, schema, wrong));
        } else if (shape instanceof List<?> items && schema.get("items") instanceof Map<?, ?> item) {
            compareExcerpt(path + "[]", items.get(0), item, wrong);
        } else {
            String text = String.valueOf(shape);
            String expected = text.startsWith("<") ? "object" : text;
            boolean isChoice =
                    schema.get("enum") instanceof List<?> choices && choices.equals(List.of(text.split("\\|", -1)));
            // Names of kinds and versions are constants of the excerpt alone.
            boolean isConstant = path.endsWith(".kind") || path.endsWith(".apiVersion");
            if (!expected.equals(schema.get("type")) && !isChoice && !isConstant) {
                wrong.add(path + ": " + text + " (expected: " + schema.get("type") + " " + schema.get("enum") + ")");
            }
        }
    }

    private static void compareField(String path, String field, Object shape, Map<?, ?> schema, List<String> wrong) {
        boolean isRequired = field.endsWith("!");
        String name = isRequired ? field.substring(0, field.length() - 1) : field;
        Object property = name.equals("*") ? schema.get("additionalProperties") : at(schema, "properties", name);
        if (!(property instanceof Map<?, ?> known)) {
            wrong.add(path + "." + name + ": not in the definition");
            return;
        }
        if (schema.get("required") instanceof List<?> required && required.contains(name) && !isRequired) {
            wrong.add(path + "." + name + ": required by the definition");
        }
        compareExcerpt(path + "." + name, shape, known, wrong);
    }

    private static @Nullable Object at(@Nullable Object root, String... path) {
        Object value = root;
        for (String name : path) {
            value = value instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return value;
    }
}
