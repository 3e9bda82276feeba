/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import java.util.List;

/** Jobs as JSON. Pure. */
public final class JobJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JobJson() {}

    /** A job and its parts. */
    public static String status(JobAddress address, JobStatus status) {
        ObjectNode json = summary(address.scheduler(), status.job());
        json.put("run", status.runId());
        ArrayNode parts = json.putArray("parts");
        for (JobStatus.Part part : status.parts()) {
            parts.addObject()
                    .put("id", part.id())
                    .put("host", part.host().isEmpty() ? null : part.host())
                    .put("state", part.state())
                    .put("restarts", part.restarts())
                    .put("reason", part.reason());
        }
        return json.toPrettyString() + "\n";
    }

    /**
     * Several jobs.
     *
     * @param scheduler that has them
     */
    public static String list(String scheduler, List<JobSummary> jobs) {
        ObjectNode json = JSON.createObjectNode();
        ArrayNode array = json.putArray("jobs");
        jobs.forEach(job -> array.add(summary(scheduler, job)));
        return json.toPrettyString() + "\n";
    }

    private static ObjectNode summary(String scheduler, JobSummary job) {
        return JSON.createObjectNode()
                .put("job", new JobAddress(scheduler, job.id()).toString())
                .put("name", job.name())
                .put("state", job.state())
                .put("nodes", job.nodes())
                .put("wanted", job.wanted());
    }
}
