/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.Container;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample in what a container gives it, with nothing prepared for it but a volume for logs. */
@Tag("once")
@Timeout(120)
final class ContainerE2E {
    /** In UTF-8. */
    private static final String LETTERS = "gr\\303\\274n";

    @RegisterExtension
    final TestRun run = new TestRun();

    @BeforeAll
    static void built() {
        Project.requireBuilt();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hard", "soft", "soft-replace"})
    void workerKilled_inAContainer_runGoesOnToItsEnd(String policy) throws Exception {
        try (Container container = Container.start(
                List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", policy),
                Project.training(1200, TestRun.STEP_MILLIS, "--report-every", "1"))) {
            container.awaitRound(1);

            container.kill(1);
            container.awaitRound(2);

            assertThat(container.exitCode(Duration.ofSeconds(60)))
                    .as(container.console())
                    .isZero();
            assertThat(container.console()).contains("accuracy ", "elastic-run: succeeded");
        }
    }

    /**
     * Two nodes, each in a container without a locale and with an argument of other letters; on the first, a worker makes
     * processes until there can be no more, and leaves them to process 1.
     */
    @Test
    void twoContainers_oneOutOfProcessesAndThenItsWorkerKilled_runGoesOnToItsEnd() throws Exception {
        String script = """
                role=$0
                left=$#
                for each; do
                    shift
                    left=$((left - 1))
                    [ $left != 1 ] || hurry=$each
                    [ $left = 0 ] && last=$each || set -- "$@" "$each"
                done
                printf %s "$last" | od -An -tx1 >&2
                if [ $role = forking ] && [ $ELASTIC_RESTART_COUNT = 0 ]; then
                    (
                        until [ -e "${hurry%/*}/fork" ]; do sleep 0.2; done
                        sh -c 'while :; do sleep 3 & done' 2>/dev/null
                        echo there are no processes left >&2
                    ) &
                fi
                exec "$JAVA_HOME/bin/java" -jar "$@"
                """;
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", "1:2", "--restart-policy", "soft"));
        options.addAll(List.of("--last-call-timeout", "60s"));
        try (Container forking = start(options, script, "forking");
                Container other = start(options, script, "other")) {
            for (Container each : List.of(forking, other)) {
                each.awaitOutput("67 72 c3 bc 6e");
            }
            awaitRound(1, forking, other);
            forking.touch("fork");
            forking.awaitOutput("there are no processes left");
            Patience.until(
                    "no zombies",
                    TestRun.LIMIT,
                    () -> forking.zombies().isEmpty(),
                    () -> forking.zombies() + forking.console());

            forking.kill(0);
            awaitRound(3, forking, other);
            forking.hurryUp();

            assertThat(other.exitCode(Duration.ofSeconds(60)))
                    .as(other.console())
                    .isZero();
            assertThat(forking.exitCode(Duration.ofSeconds(60)))
                    .as(forking.console())
                    .isZero();
        }
    }

    private static Container start(List<String> options, String script, String role) throws IOException {
        List<String> program = new ArrayList<>(List.of("sh", "-c", script, role));
        program.addAll(Project.training(1000, TestRun.STEP_MILLIS, "--report-every", "1"));
        return Container.start(options, program, LETTERS);
    }

    /** The node of rank 0 prints. */
    private static void awaitRound(int round, Container... containers) {
        Patience.until(
                "a step in round " + round,
                TestRun.LIMIT,
                () -> Stream.of(containers).anyMatch(each -> each.hasWorkedIn(round)),
                () -> Stream.of(containers).map(Container::console).collect(Collectors.joining("\n")));
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
