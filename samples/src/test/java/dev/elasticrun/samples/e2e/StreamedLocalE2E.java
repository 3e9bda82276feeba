/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Local states that are larger than the heaps of their workers, one of which is lost with its node. */
@Tag("once")
@Timeout(90)
final class StreamedLocalE2E {
    private static final long BYTES = 100_000_000;

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @CsvSource({"--local-replicas, 1", "--checkpoint-parity, 3"})
    void agentAndWorkerKilled_theStateIsWithASurvivorToTheLastBit(String flag, String value) throws IOException {
        List<AgentProcess> agents = start(flag, value);
        long round = run.awaitTogether(3, agents.toArray(AgentProcess[]::new));

        AgentProcess victim = agents.remove(1);
        await("keeps version [2-9], one of 3", victim);
        ProcessHandle worker = victim.worker(victim.log().running().get(0).pid());
        victim.jvm().destroyForcibly();
        worker.destroyForcibly();
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

    private List<AgentProcess> start(String flag, String value) {
        List<String> options = new ArrayList<>(run.onEtcd("--nnodes", "2:3", "--lease-ttl", "2s"));
        options.addAll(List.of("--restart-policy", "soft", flag, value, "--last-call-timeout", "60s"));
        options.addAll(List.of("--java-opts", "-Xmx48m"));
        options.addAll(List.of(
                "--class-path",
                Project.ROOT.resolve("samples/target/test-classes").toString(),
                "--main-class",
                StreamedLocalProgram.class.getName()));
        List<String> program =
                List.of("samples/target/elastic-samples.jar", String.valueOf(BYTES), end().toString(), "500");
        return Stream.generate(() -> run.agent(options, program))
                .limit(3)
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
