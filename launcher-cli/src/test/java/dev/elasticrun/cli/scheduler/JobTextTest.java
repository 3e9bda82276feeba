/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.cli.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.schema.SchemaFile;
import dev.elasticrun.cli.GoldenFile;
import dev.elasticrun.scheduler.JobStatus;
import dev.elasticrun.scheduler.JobSummary;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

final class JobTextTest {
    private static final JobAddress ADDRESS = new JobAddress("slurm", "42");
    private static final JobStatus STATUS = new JobStatus(
            new JobSummary("42", "train", "RUNNING", 1, 2),
            "demo",
            List.of(
                    new JobStatus.Part("42_0", "node1", "RUNNING", 2, ""),
                    new JobStatus.Part("42_1", "", "PENDING", 0, "BeginTime\u001b[2J")));

    @Test
    @Tag("golden")
    void status_asText() throws IOException {
        GoldenFile.assertSame("job-status.txt", JobText.status(ADDRESS, STATUS));
    }

    @Test
    @Tag("golden")
    void status_asJson() throws IOException {
        GoldenFile.assertSame("job-status.json", JobJson.status(ADDRESS, STATUS));
    }

    @Test
    void json_isThatOfItsSchemas() {
        SchemaFile.of("job.json").assertDescribes(JobJson.status(ADDRESS, STATUS));
        SchemaFile.of("jobs.json").assertDescribes(JobJson.list("slurm", List.of(STATUS.job())));
    }

    @Test
    void list_isATable_orJson() {
        assertThat(JobText.list("slurm", List.of(STATUS.job())))
                .isEqualTo("JOB         NAME   STATE    NODES\nslurm://42  train  RUNNING  1 of 2\n");
        assertThat(JobText.list("slurm", List.of())).isEqualTo("JOB  NAME  STATE  NODES\n");
        assertThat(JobJson.list("slurm", List.of(STATUS.job()))).contains("\"job\" : \"slurm://42\"");
    }

    @Test
    void address_isReadAsItIsWritten() {
        assertThat(JobAddress.parse("slurm://42")).contains(ADDRESS);
        assertThat(JobAddress.parse("kubernetes://ns/name")).contains(new JobAddress("kubernetes", "ns/name"));
        assertThat(JobAddress.parse("slurm://")).contains(new JobAddress("slurm", ""));
        assertThat(JobAddress.parse("2:4")).isEmpty();
    }
}
