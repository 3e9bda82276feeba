/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.LoggedEvent;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Workers that wait for their peers in another library: those that do not come out of a past round go, and no others. */
@Tag("once")
@Timeout(120)
final class StragglerE2E {
    private static final Duration GRACE = Duration.ofMillis(500);

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void twoStayInAPastRound_goOneAfterTheOther_andTheRunGoesOn() throws Exception {
        AgentProcess agent = run("hang");

        List<LoggedEvent> hangs = failures(agent, FailureKind.STRAGGLER);
        assertThat(hangs).extracting(event -> failed(event).worker().slot()).containsExactly(1, 0);
        assertThat(failed(hangs.get(0)).found().message()).contains(" exchange ", " thread has gone; ", "main at ");
        assertThat(failed(hangs.get(1)).found().message()).contains(" exchange ", " thread still runs; ", "main at ");
        assertThat(hangs.get(1).nanos() - hangs.get(0).nanos()).isGreaterThanOrEqualTo(GRACE.toNanos());
        // One failed by itself; who came out in time was let alone.
        assertThat(agent.log().everStarted()).hasSize(4 + 3);
        assertThat(agent.saved("hang.txt")).hasSize(2).allSatisfy(saved -> assertThat(saved)
                .contains("Full thread dump", "StragglerProgram.park("));
    }

    @Test
    void oneIsStopped_beforeAnythingIsLearned_isFoundByItsSilence() throws Exception {
        AgentProcess agent = run("stop");

        assertThat(failures(agent, FailureKind.HANG)).singleElement().satisfies(event -> {
            assertThat(failed(event).worker().slot()).isEqualTo(1);
            assertThat(failed(event).found().message()).contains("exchange (limit 2.0 s)", "SIGSTOP");
        });
        assertThat(agent.log().everStarted()).hasSize(4 + 1);
    }

    private AgentProcess run(String mode) throws IOException {
        Path meeting = Files.createDirectory(run.directory().resolve("meeting"));
        AgentProcess agent = run.agent(
                List.of(
                        "--standalone",
                        "--nproc-per-node",
                        "4",
                        "--restart-policy",
                        "soft-replace",
                        "--straggler-timeout",
                        GRACE.toMillis() + "ms",
                        "--pause-timeout",
                        "2s",
                        "--class-path",
                        Project.TEST_CLASS_PATH,
                        "--main-class",
                        StragglerProgram.class.getName()),
                List.of("samples/target/elastic-samples.jar", mode, meeting.toString()));

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();

        assertThat(agent.workerOutputs())
                .filteredOn(output -> output.equals("done\n"))
                .hasSize(4);
        return agent;
    }

    private static List<LoggedEvent> failures(AgentProcess agent, FailureKind how) {
        return agent.log().all("worker.failed").stream()
                .filter(event -> failed(event).found().how() == how)
                .toList();
    }

    private static RunEvent.WorkerFailed failed(LoggedEvent event) {
        return (RunEvent.WorkerFailed) event.event();
    }
}
