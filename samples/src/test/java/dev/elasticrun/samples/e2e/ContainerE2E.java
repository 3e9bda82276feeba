/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.Container;
import dev.elasticrun.samples.testing.Project;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample in what a container gives it, with nothing prepared for it but a volume for logs. */
@Tag("once")
@Timeout(120)
final class ContainerE2E {
    @BeforeAll
    static void built() {
        Project.requireBuilt();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft", "soft-replace"})
    void workerKilled_inAContainer_runGoesOnToItsEnd(String policy) throws Exception {
        try (Container container = Container.start(
                List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", policy),
                Project.training(5000, 20, "--report-every", "1"))) {
            container.awaitRound(1);

            container.kill(1);
            container.awaitRound(2);

            assertThat(container.exitCode(Duration.ofSeconds(60)))
                    .as(container.console())
                    .isZero();
            assertThat(container.console()).contains("accuracy ", "elastic-run: succeeded");
        }
    }

    @Test
    void workerFillsSharedMemory_andFails_isStartedAgainAllTheSame() throws Exception {
        String program = "[ $ELASTIC_RESTART_COUNT = 0 ] || exit 0; dd if=/dev/zero of=/dev/shm/fill bs=4k; exit 3";
        try (Container container =
                Container.start(List.of("--standalone", "--max-restarts", "1"), List.of("sh", "-c", program))) {
            assertThat(container.exitCode(Duration.ofSeconds(60)))
                    .as(container.console())
                    .isZero();
            assertThat(container.console()).contains("No space left on device", "restarts used: 1");
        }
    }
}
