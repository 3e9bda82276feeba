/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import dev.elasticrun.testing.Processes;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An agent that is killed takes its workers with it, and theirs. That its run directory is gone is checked after every test. */
@Timeout(120)
final class GuardE2E {
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agent_killed_takesItsJavaWorkersWithIt() {
        AgentProcess agent = run.agent(
                List.of("--standalone", "--nproc-per-node", "2", "--restart-policy", "soft"),
                Project.training(10_000, 20));
        run.awaitTogether(2, agent);

        assertGoneAfterKill(agent, 2);
    }

    @Test
    void agent_killed_takesChildrenOfScriptsWithIt() {
        String script = "trap '' TERM HUP INT; sleep 600 & sleep 600 & setsid sleep 600 & echo there; wait; wait; wait";
        AgentProcess agent = run.agent(List.of("--standalone", "--nproc-per-node", "2"), List.of("sh", "-c", script));
        Patience.until(
                "both scripts to run",
                TestRun.LIMIT,
                () -> agent.log().running().size() == 2
                        && agent.workerOutputs().stream()
                                        .filter(text -> text.contains("there"))
                                        .count()
                                == 2,
                agent::console);

        assertGoneAfterKill(agent, 2 * 4);
    }

    private static void assertGoneAfterKill(AgentProcess agent, int expected) {
        List<ProcessHandle> workers = agent.log().running().stream()
                .map(slot -> agent.worker(slot.pid()))
                .flatMap(worker -> Stream.concat(Stream.of(worker), worker.descendants()))
                .toList();
        assertThat(workers).as("processes before the kill").hasSize(expected);

        agent.jvm().destroyForcibly();

        Patience.until(
                "end of all workers",
                AT_ONCE,
                () -> workers.stream().noneMatch(Processes::isRunning),
                () -> "alive: " + workers.stream().filter(Processes::isRunning).toList());
    }
}
