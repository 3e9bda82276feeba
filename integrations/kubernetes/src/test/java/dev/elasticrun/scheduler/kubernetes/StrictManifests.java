/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads manifests as strictly as a server that refuses unknown fields. Core kinds are read into the models without their
 * collectors of unknown fields; custom kinds are compared with the excerpts of their schemas in the test resources.
 */
final class StrictManifests {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final ObjectMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .annotationIntrospector(new JacksonAnnotationIntrospector() {
                @Override
                public Boolean hasAnySetter(Annotated annotated) {
                    return false;
                }
            })
            .build();

    private static final Map<String, Class<?>> CORE_KINDS = Map.of(
            "Job", Job.class,
            "NetworkPolicy", NetworkPolicy.class,
            "Secret", Secret.class,
            "Service", Service.class,
            "StatefulSet", StatefulSet.class);

    private static final Map<String, Class<?>> MODELS = Map.of(
            "EnvVar", EnvVar.class,
            "JobSpec", JobSpec.class,
            "ObjectMeta", ObjectMeta.class,
            "ResourceRequirements", ResourceRequirements.class);

    private StrictManifests() {}

    static List<Map<String, Object>> documents(String text) {
        try {
            return YAML.readerFor(Map.class)
                    .<Map<String, Object>>readValues(text)
                    .readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @throws IllegalArgumentException naming the field that is wrong */
    static void check(Map<String, Object> document) {
        String kind = String.valueOf(document.get("kind"));
        Class<?> model = CORE_KINDS.get(kind);
        if (model == null) {
            compare(kind, excerpt(kind), document);
        } else {
            read(document, model);
        }
    }

    static Map<?, ?> excerpt(String kind) {
        try (InputStream file = StrictManifests.class.getResourceAsStream("/schemas/" + kind + ".yaml")) {
            if (file == null) {
                throw new IllegalArgumentException("kind: " + kind);
            }
            return YAML.readValue(file, Map.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(Object value, Class<?> model) {
        STRICT.convertValue(value, model);
    }

    private static void compare(String path, Object shape, Object value) {
        if (shape instanceof Map<?, ?> fields) {
            compareFields(path, fields, expected(path, Map.class, value));
        } else if (shape instanceof List<?> items) {
            int place = 0;
            for (Object item : expected(path, List.class, value)) {
                compare(path + "[" + place++ + "]", items.get(0), item);
            }
        } else {
            compareScalar(path, String.valueOf(shape), value);
        }
    }

    private static void compareFields(String path, Map<?, ?> fields, Map<?, ?> value) {
        value.forEach((name, each) -> {
            Object shape = fields.containsKey(name) ? fields.get(name) : fields.get(name + "!");
            if (shape == null) {
                shape = fields.get("*");
            }
            if (shape == null) {
                throw new IllegalArgumentException(
                        path + "." + name + ": unknown (expected: one of " + fields.keySet() + ")");
            }
            compare(path + "." + name, shape, each);
        });
        for (Object field : fields.keySet()) {
            String name = String.valueOf(field);
            if (name.endsWith("!") && !value.containsKey(name.substring(0, name.length() - 1))) {
                throw new IllegalArgumentException(path + "." + name + ": not given");
            }
        }
    }

    private static void compareScalar(String path, String shape, Object value) {
        if (shape.startsWith("<")) {
            try {
                read(value, Objects.requireNonNull(MODELS.get(shape.substring(1, shape.length() - 1)), shape));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(path + ": " + e.getMessage(), e);
            }
            return;
        }
        boolean fits =
                switch (shape) {
                    case "string" -> value instanceof String;
                    case "integer" -> value instanceof Integer;
                    case "boolean" -> value instanceof Boolean;
                    default -> List.of(shape.split("\\|", -1)).contains(value);
                };
        if (!fits) {
            throw new IllegalArgumentException(path + ": " + value + " (expected: " + shape + ")");
        }
    }

    private static <T> T expected(String path, Class<T> type, Object value) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(path + ": " + value + " (expected: a " + type.getSimpleName() + ")");
        }
        return type.cast(value);
    }
}
