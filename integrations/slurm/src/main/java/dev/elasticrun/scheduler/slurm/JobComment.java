/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import dev.elasticrun.scheduler.JobBounds;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What Slurm keeps with each element, so that later commands need no file of their own: {@code
 * elastic-run,nodes=1:4,run=demo,of=42}. Pure.
 *
 * @param nodes with which the job was submitted
 * @param runId empty = the number of the job
 * @param of the job that these elements were added to; empty = none
 */
record JobComment(JobBounds nodes, Optional<String> runId, Optional<String> of) {
    /** Begins those of elastic-run. */
    static final String MARK = "elastic-run";

    /** The comment of an element; empty = it is none of elastic-run. */
    static Optional<JobComment> parse(String text) {
        String[] parts = text.split(",", -1);
        if (!parts[0].equals(MARK)) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (String part : parts) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                values.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        return JobBounds.parse(values.getOrDefault("nodes", ""))
                .map(nodes -> new JobComment(
                        nodes, Optional.ofNullable(values.get("run")), Optional.ofNullable(values.get("of"))));
    }

    /** The same for elements that are added to a job. */
    JobComment addedTo(String job) {
        return new JobComment(nodes, runId, Optional.of(job));
    }

    /** By which the agents meet. */
    String run(String job) {
        return runId.orElse(job);
    }

    @Override
    public String toString() {
        return MARK + ",nodes=" + nodes
                + runId.map(id -> ",run=" + id).orElse("")
                + of.map(job -> ",of=" + job).orElse("");
    }
}
