/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.scheduler.JobSummary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is read from {@code squeue}: elements of two jobs, others' jobs between them. */
final class ElementsTest {
    private static final String QUEUE = """
            7|0|8|RUNNING|n1|None|elastic-run,nodes=1:3|train
            7|1|9|RUNNING|n2|None|elastic-run,nodes=1:3|train
            7|2|7|PENDING||BeginTime|elastic-run,nodes=1:3|train
            12|0|12|RUNNING|n4|None|elastic-run,nodes=1:3,of=7|train
            13|N/A|13|RUNNING|n3|None|(null)|a|job
            14|0|14|PENDING||Resources|my comment|array
            15|0|15|PENDING||Priority|elastic-run,nodes=2:2,run=demo|other
            15|1|16|PENDING||Priority|elastic-run,nodes=2:2,run=demo|other
            """;

    @Test
    void parse_jobsOfElasticRun_newestFirst_withThoseThatWereAdded() {
        assertThat(Elements.parse(QUEUE))
                .extracting(Elements::summary)
                .containsExactly(
                        new JobSummary("15", "other", "PENDING", 0, 2), new JobSummary("7", "train", "RUNNING", 3, 4));
        assertThat(Elements.parse("")).isEmpty();
    }

    @Test
    void parse_reasonsAndRunIds() {
        List<Elements> jobs = Elements.parse(QUEUE);

        assertThat(jobs.get(0).comment().run("15")).isEqualTo("demo");
        assertThat(jobs.get(1).comment().run("7")).isEqualTo("7");
        assertThat(jobs.get(1).all()).extracting(Element::id).containsExactly("7_0", "7_1", "7_2", "12_0");
        assertThat(jobs.get(1).all()).extracting(Element::reason).containsExactly("", "", "BeginTime", "");
        assertThat(jobs.get(1).arrays()).containsExactly("7", "12");
    }

    @Test
    void surplus_waitingBeforeRunning_laterBeforeEarlier_firstLast() {
        Elements job = Elements.parse(QUEUE).get(1);

        assertThat(job.surplus(4)).isEmpty();
        assertThat(job.surplus(3)).extracting(Element::id).containsExactly("7_2");
        assertThat(job.surplus(2)).extracting(Element::id).containsExactly("12_0", "7_2");
        assertThat(job.surplus(1)).extracting(Element::id).containsExactly("7_1", "12_0", "7_2");
    }

    @Test
    void summary_ended_isCompletedIfOneIs() {
        String ended = """
                7|0|8|CANCELLED||None|elastic-run,nodes=1:3|train
                7|1|9|COMPLETED|n2|None|elastic-run,nodes=1:3|train
                """;

        assertThat(Elements.parse(ended))
                .extracting(Elements::summary)
                .containsExactly(new JobSummary("7", "train", "COMPLETED", 0, 0));
    }

    @Test
    void surplus_ofThoseThatStay() {
        Elements job = Elements.parse(QUEUE.replace("7|1|9|RUNNING", "7|1|9|COMPLETING"))
                .get(1);

        assertThat(job.summary()).isEqualTo(new JobSummary("7", "train", "RUNNING", 2, 3));
        assertThat(job.surplus(2)).extracting(Element::id).containsExactly("7_2");
        assertThat(job.live()).hasSize(4);
    }

    @Test
    void comment_isReadAsItWasWritten() {
        JobComment comment = SbatchFile.comment(Jobs.elastic(Map.of()));

        assertThat(JobComment.parse(comment.toString())).contains(comment);
        assertThat(JobComment.parse(comment.addedTo("7").toString())).contains(comment.addedTo("7"));
        assertThat(JobComment.parse("elastic-run,nodes=x")).isEmpty();
    }
}
