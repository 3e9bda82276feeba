/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class JobSpecTest {
    private static final JobSpec JOB = new JobSpec(
            "train",
            1,
            2,
            1,
            List.of("--once", "--run-id-suffix=x", "--run-id=first", "--run-id=a=b"),
            List.of("train.jar"),
            Map.of(),
            Path.of("/"));

    @Test
    void flag_isTheValueThatIsGivenLast() {
        assertThat(JOB.flag("--run-id")).contains("a=b");
        assertThat(JOB.flag("--once")).contains("");
        assertThat(JOB.flag("--log-dir")).isEmpty();
    }

    @Test
    void flagUnlessGiven_leavesWhatTheUserGave() {
        assertThat(JOB.flagUnlessGiven("--log-dir", "/logs")).contains("--log-dir=/logs");
        assertThat(JOB.flagUnlessGiven("--run-id", "42")).isEmpty();
        assertThat(JOB.flagUnlessGiven("--once", "1")).isEmpty();
    }
}
