/* SPDX-License-Identifier: Apache-2.0 */
package dev.elasticrun.samples.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.elasticrun.agent.events.RunEvent;
import dev.elasticrun.rendezvous.record.FailureKind;
import dev.elasticrun.samples.testing.AgentProcess;
import dev.elasticrun.samples.testing.Project;
import dev.elasticrun.samples.testing.TestRun;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A worker that ends with 0 although the others of its round still work with it has failed, and that is charged. */
@Tag("once")
@Timeout(120)
final class EarlyEndE2E {

    @RegisterExtension
    final TestRun run = new TestRun();

    @ParameterizedTest
    @CsvSource({"1, hard", "1, soft", "1, soft-replace", "2, soft"})
    void worker_endsBeforeItsPeers_isAFailureUntilTheBudgetIsUsed(int nodes, String policy) {
        List<AgentProcess> agents = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            agents.add(run.agent(
                    run.onEtcd(
                            "--nnodes",
                            "1:" + nodes,
                            "--nproc-per-node",
                            "2",
                            "--max-restarts",
                            "1",
                            "--shutdown-timeout",
                            "2s",
                            "--restart-policy",
                            policy,
                            "--class-path",
                            Project.ROOT.resolve("samples/target/test-classes").toString(),
                            "--main-class",
                            EarlyEndProgram.class.getName()),
                    List.of("samples/target/elastic-samples.jar")));
        }

        for (AgentProcess agent : agents) {
            assertThat(agent.exitCode(TestRun.LIMIT)).as(agent::console).isEqualTo(4);
        }
        // The node that has no restart left may leave before the run ends.
        assertThat(agents)
                .flatExtracting(agent -> agent.log().all(RunEvent.RunEnded.class))
                .extracting(end -> end.root().orElseThrow())
                .anySatisfy(root -> {
                    assertThat(root.rootRank()).isOne();
                    assertThat(root.rootHow()).isEqualTo(FailureKind.ENDED_EARLY);
                });
    }
}
