/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;

/** Changes of objects, as JSON. */
final class Patches {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Patches() {}

    /** Merge patch: the object goes when its owner does. */
    static String owner(HasMetadata owner) {
        Map<String, Object> reference = Fields.with("apiVersion", owner.getApiVersion())
                .and("kind", owner.getKind())
                .and("name", owner.getMetadata().getName())
                .and("uid", owner.getMetadata().getUid())
                .map();
        return json(Map.of("metadata", Map.of("ownerReferences", List.of(reference))));
    }

    /** Merge patch of a Job. */
    static String parallelism(int nodes) {
        return json(Map.of("spec", Map.of("parallelism", nodes)));
    }

    /** JSON patch of a JobSet. */
    static String parallelism(int replicatedJob, int nodes) {
        String path = "/spec/replicatedJobs/" + replicatedJob + "/template/spec/parallelism";
        return json(List.of(Fields.with("op", "replace")
                .and("path", path)
                .and("value", nodes)
                .map()));
    }

    private static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write a patch", e);
        }
    }
}
