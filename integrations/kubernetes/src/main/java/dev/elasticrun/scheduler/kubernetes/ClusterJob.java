/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A job as the cluster has it.
 *
 * @param run value of {@link Names#RUN}
 * @param runId by which its agents meet
 * @param nodes MIN:MAX, with which it was submitted
 * @param created time in the server's form, which sorts
 * @param state the condition that is true; {@code Running} if there is none
 * @param wanted pods that the cluster is asked for
 * @param runtime name of the ClusterTrainingRuntime of a TrainJob; empty = none
 */
record ClusterJob(
        Form form,
        JobId id,
        String run,
        String runId,
        String nodes,
        String created,
        String state,
        boolean isEnded,
        int wanted,
        String runtime) {
    private static final Set<String> ENDS = Set.of("Complete", "Completed", "Failed");
    private static final String SUSPENDED = "Suspended";

    static ClusterJob of(Job job) {
        Map<String, String> conditions = new LinkedHashMap<>();
        if (job.getStatus() != null && job.getStatus().getConditions() != null) {
            for (JobCondition condition : job.getStatus().getConditions()) {
                conditions.put(condition.getType(), condition.getStatus());
            }
        }
        Integer parallelism = job.getSpec().getParallelism();
        return of(Form.JOB, job.getMetadata(), conditions, parallelism == null ? 1 : parallelism, "");
    }

    /** A JobSet or a TrainJob. */
    static ClusterJob of(Form form, GenericKubernetesResource resource) {
        Map<String, String> conditions = new LinkedHashMap<>();
        if (at(resource.getAdditionalProperties(), "status", "conditions") instanceof List<?> list) {
            for (Object condition : list) {
                conditions.put(String.valueOf(at(condition, "type")), String.valueOf(at(condition, "status")));
            }
        }
        Object nodes = form == Form.TRAINJOB
                ? at(resource.getAdditionalProperties(), "spec", "trainer", "numNodes")
                : at(replicatedJob(resource, Names.NODE), "template", "spec", "parallelism");
        Object runtime = at(resource.getAdditionalProperties(), "spec", "runtimeRef", "name");
        return of(
                form,
                resource.getMetadata(),
                conditions,
                nodes instanceof Number number ? number.intValue() : 0,
                runtime == null ? "" : runtime.toString());
    }

    /** Place of a replicated job in its JobSet; -1 = it has none of that name. */
    static int indexOf(GenericKubernetesResource jobSet, String name) {
        if (at(jobSet.getAdditionalProperties(), "spec", "replicatedJobs") instanceof List<?> jobs) {
            for (int i = 0; i < jobs.size(); i++) {
                if (name.equals(at(jobs.get(i), "name"))) {
                    return i;
                }
            }
        }
        return -1;
    }

    /** Labels of its agents' pods. */
    Map<String, String> podLabels() {
        return form == Form.TRAINJOB
                ? Map.of(Names.JOBSET_NAME, id.name())
                : Map.of(Names.RUN, run, Names.COMPONENT, Names.AGENT);
    }

    /** Whether its ClusterTrainingRuntime was made for it. */
    boolean ownsRuntime() {
        return !runtime.isEmpty() && runtime.equals(run);
    }

    private static ClusterJob of(
            Form form, ObjectMeta metadata, Map<String, String> conditions, int wanted, String runtime) {
        String end = conditions.entrySet().stream()
                .filter(condition -> ENDS.contains(condition.getKey())
                        && condition.getValue().equals("True"))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
        String goesOn = "True".equals(conditions.get(SUSPENDED)) ? SUSPENDED : "Running";
        String run = text(metadata.getLabels(), Names.RUN);
        return new ClusterJob(
                form,
                new JobId(metadata.getNamespace(), metadata.getName()),
                run,
                text(metadata.getAnnotations(), Names.RUN_ID),
                text(metadata.getAnnotations(), Names.NODES),
                metadata.getCreationTimestamp() == null ? "" : metadata.getCreationTimestamp(),
                end.isEmpty() ? goesOn : end,
                !end.isEmpty(),
                wanted,
                runtime);
    }

    private static String text(@Nullable Map<String, String> texts, String name) {
        return texts == null ? "" : texts.getOrDefault(name, "");
    }

    private static @Nullable Object replicatedJob(GenericKubernetesResource jobSet, String name) {
        int index = indexOf(jobSet, name);
        return index >= 0 && at(jobSet.getAdditionalProperties(), "spec", "replicatedJobs") instanceof List<?> jobs
                ? jobs.get(index)
                : null;
    }

    private static @Nullable Object at(@Nullable Object root, String... path) {
        Object value = root;
        for (String name : path) {
            value = value instanceof Map<?, ?> map ? map.get(name) : null;
        }
        return value;
    }
}
