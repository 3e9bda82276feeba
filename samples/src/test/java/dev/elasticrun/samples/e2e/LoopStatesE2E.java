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
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Local states and lazy ones of loops, of which a worker is killed. */
@Timeout(120)
@Tag("once")
final class LoopStatesE2E {
    private static final int WORKERS = 3;
    private static final Pattern LAST_LINE =
            Pattern.compile("ended with (\\d+) rows at version (\\d+), the state was written down (\\d+) times");

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @CsvSource({
        "soft-elastic, array",
        "soft-elastic, stream",
        "soft-replace, array",
        "soft-replace, stream",
        "hard, array"
    })
    void workerKilled_noRowIsLost(String policy, String form) throws IOException {
        AgentProcess agent = killOne(policy, form);

        assertThat(last(agent)).hasSize(WORKERS);
        assertThat(last(agent))
                .extracting(line -> line.group(1))
                .containsOnly(last(agent).get(0).group(1));
        assertThat(agent.workerOutputs()).noneMatch(output -> output.contains("lost the rows"));
        assertThat(agent.log().all(RunEvent.StateLocalLost.class)).isEmpty();
    }

    @Test
    void nodeKilled_noCopyOfItsStateIsThere_theBodyAndTheAgentNoticeIt() throws IOException {
        List<String> options = run.onEtcd("--nnodes", "1:2", "--lease-ttl", "2s", "--last-call-timeout", "60s");
        AgentProcess left = start(options, 1, "soft", "array", "--local-replicas", "0");
        AgentProcess lost = start(options, 1, "soft", "array", "--local-replicas", "0");
        long round = run.awaitTogether(2, left, lost);
        awaitVersion(left);
        Recoveries.killNode(lost);
        run.awaitTogether(round, 1, left);
        Files.createFile(end());

        assertThat(left.exitCode(TestRun.LIMIT)).as(left::console).isZero();
        assertThat(left.workerOutputs())
                .singleElement()
                .asString()
                .containsPattern("lost the rows of ranks \\[[01]]\n")
                .containsOnlyOnce("begins without rows of its own");
        assertThat(left.log().all(RunEvent.StateLocalLost.class))
                .singleElement()
                .satisfies(event -> assertThat(event.ranks()).hasSize(1));
    }

    @ParameterizedTest
    @CsvSource({"soft-elastic", "soft-replace"})
    void workerKilled_theLazyStateIsWrittenDownForTheNewOneOnly(String policy) throws IOException {
        AgentProcess agent = killOne(policy, "lazy");

        assertThat(last(agent)).hasSize(WORKERS).allSatisfy(line -> {
            long versions = Long.parseLong(line.group(2));
            // Once at the start, and then once for each time that the world changed.
            assertThat(Long.parseLong(line.group(3))).isLessThan(versions / 2);
        });
    }

    private AgentProcess killOne(String policy, String form) throws IOException {
        AgentProcess agent = start(List.of("--standalone"), WORKERS, policy, form);
        long round = run.awaitTogether(WORKERS, agent);
        awaitVersion(agent);
        Recoveries.killWorker(agent);
        run.awaitTogether(round, WORKERS, agent);
        Files.createFile(end());
        assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isZero();
        return agent;
    }

    private AgentProcess start(List<String> where, int workers, String policy, String form, String... more) {
        List<String> options = new ArrayList<>(where);
        options.addAll(List.of("--nproc-per-node", Integer.toString(workers), "--restart-policy", policy));
        options.addAll(
                List.of("--class-path", Project.TEST_CLASS_PATH, "--main-class", OwnRowsProgram.class.getName()));
        options.addAll(List.of(more));
        return run.agent(options, List.of("samples/target/elastic-samples.jar", end().toString(), form));
    }

    private Path end() {
        return run.directory().resolve("end");
    }

    private static List<MatchResult> last(AgentProcess agent) {
        return agent.workerOutputs().stream()
                .flatMap(output -> LAST_LINE.matcher(output).results())
                .toList();
    }

    private static void awaitVersion(AgentProcess agent) {
        Pattern line = Pattern.compile("version [2-9]\\d\n");
        Patience.until(
                "version 20",
                TestRun.LIMIT,
                () -> agent.workerOutputs().stream()
                        .anyMatch(output -> line.matcher(output).find()),
                agent::console);
    }
}
