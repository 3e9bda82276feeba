/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Command;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Restarts that come back, and a node that cannot start its workers for a while. */
@Timeout(120)
final class BudgetE2E {
    private static final List<String> WAIT = List.of("sleep", "600");

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void workerKilled_moreOftenThanTheWindowAllows_endsTheRun() {
        AgentProcess agent = run.agent(List.of("--standalone", "--max-restarts", "2/10m"), WAIT);

        for (int kills = 1; kills <= 3; kills++) {
            kill(agent, kills);
        }

        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(4);
        assertThat(agent.log().everStarted()).hasSize(3);
        assertThat(agent.output()).contains("no restart is left");
    }

    @Test
    @Tag("slow")
    void workerKilled_lessOftenThanTheWindowAllows_runGoesOn() {
        Duration window = Duration.ofSeconds(1);
        AgentProcess agent = run.agent(List.of("--standalone", "--max-restarts", "1/1s"), WAIT);

        for (int kills = 1; kills <= 3; kills++) {
            kill(agent, kills);
            awaitStarted(agent, kills + 1);
            // The time of the restart before has to pass.
            Patience.pause(window.plusMillis(200));
        }

        assertThat(agent.isAlive()).as(agent::console).isTrue();
        assertThat(agent.log().all(RunEvent.RoundSuspended.class))
                .hasSize(3)
                .allSatisfy(round -> assertThat(round.budgetUsed()).isOne());
        agent.signal("TERM");
        assertThat(agent.exitCode(TestRun.LIMIT)).isEqualTo(143);
    }

    @Test
    @Tag("slow")
    void workersFailToStart_nodeBacksOff_andWorksWhenTheyStart() throws Exception {
        Path broken = Files.createFile(run.directory().resolve("broken"));
        AgentProcess agent = run.agent(
                List.of(
                        "--standalone",
                        "--run-id",
                        run.id(),
                        "--restart-policy",
                        "soft",
                        "--max-restarts",
                        "20",
                        "--java",
                        java(broken).toString()),
                run.training());

        RunEvent.NodeBackingOff backOff = agent.await(RunEvent.NodeBackingOff.class);
        String status = Command.run(
                        Map.of(), TestRun.LIMIT, List.of(Project.LAUNCHER.toString(), "status", "--run-id", run.id()))
                .output();
        Files.delete(broken);

        assertThat(backOff.reason()).isEqualTo("workers failed to start 5 times in a row");
        assertThat(backOff.delayMs()).isEqualTo(1000);
        assertThat(status).containsAnyOf("BACKING OFF", "STARTING").contains("of 20 used");
        agent.await(RunEvent.WorkerResumed.class);
        run.hurryUp();
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        assertThat(agent.output()).contains("backing off for 1000 ms");
        assertThat(run.trained()).hasSize(1);
    }

    /** The java of this test, which fails as long as the file exists. */
    private Path java(Path broken) throws IOException {
        Path script = run.directory().resolve("java.sh");
        String real = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Files.writeString(
                script, "#!/bin/sh\nif [ -e '" + broken + "' ]; then exit 3; fi\nexec '" + real + "' \"$@\"\n");
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** Kills the worker that was started as the n-th. */
    private static void kill(AgentProcess agent, int number) {
        awaitStarted(agent, number);
        long pid = agent.log().everStarted().get(number - 1);
        AgentProcess.send("KILL", agent.worker(pid));
    }

    private static void awaitStarted(AgentProcess agent, int number) {
        Patience.until(
                number + " workers to be started",
                TestRun.LIMIT,
                () -> agent.log().everStarted().size() >= number,
                agent::console);
    }
}
