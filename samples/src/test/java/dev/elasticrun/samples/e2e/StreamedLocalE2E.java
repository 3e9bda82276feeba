/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import dev.elasticrun.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Local states that are larger than the heaps of their workers, one of which is lost with its node. */
@Tag("slow")
@Timeout(90)
final class StreamedLocalE2E {
    private static final long BYTES = 100_000_000;

    @RegisterExtension
    final TestRun run = new TestRun();

    @Test
    void agentAndWorkerKilled_theStateIsRebuiltFromParityToTheLastBit() throws IOException {
        losesANode("--checkpoint-parity", "3");
    }

    @Test
    @Tag("soak")
    void agentAndWorkerKilled_theStateIsWithTheKeeperOfItsCopyToTheLastBit() throws IOException {
        losesANode("--local-replicas", "1");
    }

    @Test
    void onlyNodeThatWorks_isLost_theNodeThatStoodByHasTheState() throws IOException {
        AgentProcess holder = start("1", "--checkpoint-replicas", "2");
        run.awaitTogether(1, holder);
        await("keeps version [2-9], one of 1", holder);
        AgentProcess other = start("1", "--checkpoint-replicas", "2");
        other.await(RunEvent.CheckpointCopied.class);

        kill(holder);
        await("has states of ranks \\[0], one of 1", other);
        Files.createFile(end());

        assertThat(other.exitCode(TestRun.LIMIT)).as(other::console).isZero();
        assertThat(other.log().all("state.local_lost")).isEmpty();
    }

    private void losesANode(String flag, String value) throws IOException {
        List<AgentProcess> agents = Stream.generate(() -> start("2:3", flag, value))
                .limit(3)
                .collect(Collectors.toCollection(ArrayList::new));
        long round = run.awaitTogether(3, agents.toArray(AgentProcess[]::new));

        AgentProcess victim = agents.remove(1);
        await("keeps version [2-9], one of 3", victim);
        kill(victim);
        run.awaitTogether(round, 2, agents.toArray(AgentProcess[]::new));
        Files.createFile(end());

        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
            assertThat(agent.log().all("state.local_lost")).isEmpty();
        }
        assertThat(agents.stream()
                        .flatMap(agent -> agent.workerOutputs().stream())
                        .flatMap(output -> Pattern.compile("has states of ranks \\[(.*)], one of 2")
                                .matcher(output)
                                .results())
                        .flatMap(found -> Stream.of(found.group(1).split(", ")))
                        .distinct())
                .containsExactlyInAnyOrder("0", "1", "2");
    }

    private static void kill(AgentProcess victim) {
        ProcessHandle worker = victim.worker(victim.log().running().get(0).pid());
        victim.jvm().destroyForcibly();
        worker.destroyForcibly();
    }

    private static void await(String line, AgentProcess agent) {
        Pattern pattern = Pattern.compile(line);
        Patience.until(
                line,
                TestRun.LIMIT,
                () -> agent.workerOutputs().stream()
                        .anyMatch(output -> pattern.matcher(output).find()),
                agent::console);
    }

    private Path end() {
        return run.directory().resolve("end");
    }

    private AgentProcess start(String nodes, String flag, String value) {
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", nodes, "--lease-ttl", "2s"));
        options.addAll(List.of("--restart-policy", "soft", flag, value, "--last-call-timeout", "60s"));
        options.addAll(List.of("--java-opts", "-Xmx48m"));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                StreamedLocalProgram.class.getName()));
        List<String> program =
                List.of("samples/target/elastic-samples.jar", String.valueOf(BYTES), end().toString(), "500");
        return run.agent(options, program);
    }
}
